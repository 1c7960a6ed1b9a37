/* oxlint-disable eslint/no-unused-expressions, typescript/unbound-method, typescript/no-unnecessary-type-conversion, typescript/no-implied-eval, unicorn/no-thenable -- plain JavaScript of another engine, where nothing is typed */
// Runs inside QuickJS: the modules `assert` and `util`.
({ inspect, format }, codecs) => {
  const sameValue = (a, b) => inspect(a, { depth: null }) === inspect(b, { depth: null });
  class AssertionError extends Error {
    name = "AssertionError";
    code = "ERR_ASSERTION";
  }
  const check = (holds, message, text) => {
    if (holds) return;
    if (message instanceof Error) throw message;
    throw new AssertionError(message ?? text);
  };
  const both = (a, word, b) => `Expected values to be ${word}:\n\n${inspect(a)} !== ${inspect(b)}\n`;
  const equalities = {
    strictEqual: (a, b, message) => check(Object.is(a, b), message, both(a, "strictly equal", b)),
    notStrictEqual: (a, b, message) =>
      check(!Object.is(a, b), message, 'Expected "actual" to be strictly unequal to "expected"'),
    deepStrictEqual: (a, b, message) => check(sameValue(a, b), message, both(a, "strictly deep-equal", b)),
    notDeepStrictEqual: (a, b, message) =>
      check(!sameValue(a, b), message, 'Expected "actual" not to be strictly deep-equal to "expected"'),
  };
  const thrown = (run) => {
    try {
      run();
      return undefined;
    } catch (error) {
      return { error };
    }
  };
  const matches = (error, wanted) => {
    if (wanted === undefined) return true;
    if (wanted instanceof RegExp) return wanted.test(String(error));
    if (typeof wanted === "function")
      return wanted.prototype !== undefined && error instanceof wanted
        ? true
        : !Error.isPrototypeOf(wanted) && wanted(error) === true;
    return Object.entries(wanted).every(([key, value]) =>
      value instanceof RegExp ? value.test(error[key]) : sameValue(error[key], value),
    );
  };
  const assert = Object.assign((value, message) => check(value, message, "The expression evaluated to a falsy value"), {
    ok: (value, message) => check(value, message, "The expression evaluated to a falsy value"),
    ...equalities,
    equal: (a, b, message) => check(a == b, message, `${inspect(a)} == ${inspect(b)}`), // oxlint-disable-line eqeqeq -- what Node's does
    notEqual: (a, b, message) => check(a != b, message, `${inspect(a)} != ${inspect(b)}`), // oxlint-disable-line eqeqeq -- what Node's does
    deepEqual: equalities.deepStrictEqual,
    notDeepEqual: equalities.notDeepStrictEqual,
    match: (text, pattern, message) =>
      check(
        pattern.test(text),
        message,
        `The input did not match the regular expression ${pattern}. Input:\n\n${inspect(text)}\n`,
      ),
    fail: (message) => check(false, message, "Failed"),
    throws: (run, wanted, message) => {
      const found = thrown(run);
      check(found !== undefined, typeof wanted === "string" ? wanted : message, "Missing expected exception.");
      if (found !== undefined && typeof wanted !== "string" && !matches(found.error, wanted)) throw found.error;
    },
    doesNotThrow: (run) => void run(),
    rejects: async (promise, wanted, message) => {
      let found;
      try {
        await (typeof promise === "function" ? promise() : promise);
      } catch (error) {
        found = { error };
      }
      check(found !== undefined, message, "Missing expected rejection.");
      if (found !== undefined && !matches(found.error, wanted)) throw found.error;
    },
    AssertionError,
  });
  assert.strict = assert;

  const util = {
    inspect,
    format,
    promisify:
      (run) =>
      (...args) =>
        new Promise((resolve, reject) => run(...args, (error, value) => (error ? reject(error) : resolve(value)))),
    isDeepStrictEqual: sameValue,
    types: {
      isPromise: (value) => value instanceof Promise,
      isDate: (value) => value instanceof Date,
      isRegExp: (value) => value instanceof RegExp,
    },
    inherits: (child, parent) => void Object.setPrototypeOf(child.prototype, parent.prototype),
    deprecate: (run) => run,
    TextEncoder: codecs.TextEncoder,
    TextDecoder: codecs.TextDecoder,
  };

  return { assert, util };
};
