package dev.pysandbox.script;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LeadingImportsTest {
    /** Lines of a script are separated by a bar. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "import numpy; numpy",
                "import numpy as np # fast|import pandas as pd; numpy pandas",
                "import pandas|import numpy; pandas numpy",
                "import os, sys, numpy as np; numpy",
                "import numpy.linalg; numpy",
                "from numpy import array, linalg as la; numpy",
                "import matplotlib.pyplot as plt; matplotlib.pyplot",
                "from matplotlib import pyplot as plt; matplotlib matplotlib.pyplot",
                "# /// script|# dependencies = []|# ///|\"\"\"What it does.\"\"\"|from __future__ import annotations|import pandas; pandas",
                "import numpy|print(1)|import pandas; numpy",
                "import os|os.environ['OMP_NUM_THREADS'] = '1'|import numpy; ``",
                "import matplotlib|matplotlib.use('svg')|import matplotlib.pyplot; matplotlib",
                "import matplotlib|matplotlib.use(\"Agg\") # no screen|import numpy as np; matplotlib numpy",
                "import matplotlib|matplotlib.use('agg'); matplotlib",
                "import sys|sys.modules['numpy'] = None|import numpy; ``",
                "import six|import numpy; ``",
                "import numpy, six|import pandas; numpy",
                "try:|    import numpy|except ImportError:|    pass; ``",
                "`  import numpy`; ``",
                "import numpy \\|, pandas; ``",
                "from . import numpy; ``",
                "from .numpy import x; ``",
                "import numpyx; ``",
                "import numpy as; ``",
                "print('''|import numpy|'''); ``",
                "\"\"\"|import numpy|\"\"\"; ``",
                "importnumpy; ``",
            })
    void readsPlainImportsOnly(String source, String expected) {
        List<String> modules = expected.isEmpty() ? List.of() : List.of(expected.split(" ", -1));
        assertEquals(modules, LeadingImports.of(source.replace('|', '\n')));
    }
}
