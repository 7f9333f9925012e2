package dev.pysandbox.script;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LeadingImportsTest {
    /** Lines of a script are separated by a bar. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "import numpy~ numpy",
                "import numpy as np # fast|import pandas as pd~ numpy pandas",
                "import pandas|import numpy~ pandas numpy",
                "import os, sys, numpy as np~ numpy",
                "import numpy.linalg~ numpy",
                "from numpy import array, linalg as la~ numpy",
                "from numpy import (|    array,  # one|    linalg as la,|)|import pandas~ numpy pandas",
                "from numpy import *|import pandas~ numpy pandas",
                "import numpy \\|, pandas~ numpy pandas",
                "import matplotlib.pyplot as plt~ matplotlib.pyplot",
                "from matplotlib import pyplot as plt~ matplotlib matplotlib.pyplot",
                "import statsmodels.api as sm~ statsmodels.api",
                "from scipy import stats, integrate~ scipy scipy.stats scipy.integrate",
                "from sklearn.linear_model import LinearRegression~ sklearn.linear_model",
                "from sklearn.no_such_module import X~ sklearn",
                "import scipy.stats.distributions~ scipy.stats",
            })
    void namesWhatCanBeImportedEarly(String source, String expected) {
        assertRead(source, expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "import pandas as pd; print(pd.__version__)~ pandas",
                "import os; import numpy as np; import pandas as pd; print(1)~ numpy pandas",
                "import pandas as pd;~ pandas",
                "import pandas as pd ;import numpy;|import seaborn~ pandas numpy seaborn",
                "x = 1; import pandas~ ``",
                "import sys; sys.modules['pandas'] = None; import pandas~ ``",
                "import os; os.environ['A'] = 'b'; import pandas~ ``",
                "`import pandas; 1 +`~ pandas",
                "import pandas; if True: import numpy~ pandas",
            })
    void readsStatementsOnOneLine(String source, String expected) {
        assertRead(source, expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "# /// script|# dependencies = []|# ///|\"\"\"What it does.\"\"\"|from __future__ import annotations|import pandas~ pandas",
                "#!/usr/bin/env python|# -*- coding: utf-8 -*-|'''Two|lines.'''||import pandas~ pandas",
                "\uFEFFimport pandas~ pandas",
                "import json|from datetime import datetime|import importlib, signal, ssl|import pandas~ pandas",
                "import yaml, requests|from tqdm import tqdm|from bs4 import BeautifulSoup|import pandas~ yaml requests tqdm bs4 pandas",
                "import six|import numpy~ six numpy",
                "import matplotlib|matplotlib.use(\"Agg\") # no screen|import numpy as np~ matplotlib numpy",
                "import matplotlib|matplotlib.use('agg')~ matplotlib",
            })
    void readsPastWhatDoesNotAffectTheNextImports(String source, String expected) {
        assertRead(source, expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "import numpy|print(1)|import pandas~ numpy",
                "import os|os.environ['OMP_NUM_THREADS'] = '1'|import numpy~ ``",
                "import warnings|warnings.simplefilter('ignore')|import pandas~ ``",
                "import matplotlib|matplotlib.use('svg')|import matplotlib.pyplot~ matplotlib",
                "import sys|sys.modules['numpy'] = None|import numpy~ ``",
                "import package_that_is_not_listed|import numpy~ ``",
                "import numpy, package_that_is_not_listed|import pandas~ numpy",
                "import mine.numpy|import pandas~ ``",
                "try:|    import numpy|except ImportError:|    pass~ ``",
                "`  import numpy`~ ``",
                "from . import numpy~ ``",
                "from .numpy import x~ ``",
                "import numpyx~ ``",
                "import numpy as~ ``",
                "import numpy as np if x else y~ ``",
                "from numpy import (array~ ``",
                "print('''|import numpy|''')~ ``",
                "\"\"\"|import numpy|\"\"\"~ ``",
                "'text'.join(x)|import numpy~ ``",
                "importnumpy~ ``",
                "# coding: utf-7|import numpy~ ``",
                "import numpyé~ ``",
            })
    void stopsAtAnythingElse(String source, String expected) {
        assertRead(source, expected);
    }

    private static void assertRead(String source, String expected) {
        List<String> modules = expected.isEmpty() ? List.of() : List.of(expected.split(" ", -1));
        assertEquals(modules, LeadingImports.of(source.replace('|', '\n')));
    }

    @Test
    void namesAreLimitedInNumberAndLength() {
        assertEquals(List.of("numpy"), LeadingImports.of("import numpy" + ", numpy".repeat(100_000)));
        assertEquals(List.of(), LeadingImports.of("import numpy" + ".a".repeat(500_000)));
        String all = """
                import numpy, pandas, sympy, seaborn, requests, httpx, yaml, bs4, PIL, plotly, networkx
                from scipy import stats, optimize, integrate, linalg, signal, sparse, interpolate, special, fft
                """;
        assertEquals(20, LeadingImports.of(all).size());
    }

    @Test
    void knowsWhatAnImportImportsToo() {
        assertEquals(Set.of("numpy"), LeadingImports.withImplied(List.of("numpy")));
        assertEquals(Set.of("pandas", "numpy"), LeadingImports.withImplied(List.of("pandas")));
        assertEquals(
                Set.of("matplotlib.pyplot", "matplotlib", "numpy"),
                LeadingImports.withImplied(List.of("matplotlib.pyplot")));
    }
}
