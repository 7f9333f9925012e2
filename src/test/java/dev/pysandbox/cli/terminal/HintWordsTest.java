package dev.pysandbox.cli.terminal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HintWordsTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        module yaml is not installed; call again with dependencies=["pyyaml"]   | module yaml is not installed; run again with -d pyyaml
        call again with dependencies=["six", "rich>14"]                         | run again with -d six -d 'rich>14'
        json comes with Python; call again with dependencies=[]                 | json comes with Python; run again without -d
        if it needs longer, call again with timeout_seconds=10                  | if it needs longer, run again with -t 10
        there is no a.csv; the working folder holds no files. Pass its content as files={"a.csv": "..."} and open "a.csv" | there is no a.csv; the working folder holds no files. Use --mount FOLDER: scripts see it as /data/NAME
        --network host or --allow-host, set where the server is started, would allow it | --network host or --allow-host would allow it
        call again with dependencies=["a$1\\\\"]                               | run again with -d 'a$1\\'
        """)
    void namesOptionsInsteadOfArguments(String hint, String expected) {
        assertEquals(expected, HintWords.of(hint));
    }
}
