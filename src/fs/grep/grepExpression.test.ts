import { describe, expect, it } from "vitest";
import { InvalidGrepPatternError } from "../pathError";
import { grepExpression } from "./grepExpression";

describe("grepExpression", () => {
  it.each([
    ["foo", "foo"],
    [".*foo.*", "foo"],
    ["(foo)", "foo"],
    ["a\\.b", "a.b"],
    ["fo+", "fo"],
    ["foo|bar", undefined],
    ["^foo", undefined],
    ["", undefined],
  ])("%s as a plain string is %j", (pattern, literal) => {
    expect(grepExpression({ pattern }).literal).toBe(literal);
  });

  it.each([
    ["export\\s+(async\\s+)?function\\s+\\w+", "function"],
    ["\\b[A-Z]\\w+Error\\b", "Error"],
    ["x(abc)+d", "abc"],
    ["[a-z]+", ""],
    ["foo|bar", ""],
    ["x?yz", "yz"],
    ["^ab$", "ab"],
  ])("every match of %s holds %j", (pattern, required) => {
    expect(grepExpression({ pattern }).required).toBe(required);
  });

  it("knows no required string when case is ignored, but of what has no case", () => {
    expect(grepExpression({ pattern: "foo", caseInsensitive: true })).toMatchObject({
      literal: undefined,
      required: "",
    });
    expect(grepExpression({ pattern: "12-34", caseInsensitive: true }).literal).toBe("12-34");
  });

  it.each([
    ["(a+)+$", "a(?=\\r?(?:\\n|$))"],
    ["^(a+)+$", "(?<=^|\\n)a+(?=\\r?(?:\\n|$))"],
    ["\\w+Error", "[0-9A-Z_a-z]Error"],
    [".*\\s*x{2,5}", "x{2}"],
    ["a**b", "b"],
    ["x(?i)y", "x[yY]"],
    ["[^a]", "[^a\\n\\r]"],
    ["[\\W\\d]", "[[[^0-9A-Z_a-z]0-9]--[\\n\\r]]"],
  ])("%s is written as %s for an ASCII text", (pattern, source) => {
    expect(grepExpression({ pattern }).regex(true).source).toBe(source);
  });

  it("uses one flag for case where the whole pattern ignores it", () => {
    expect(grepExpression({ pattern: "(?i)foo" }).regex(true).flags).toBe("giu");
    expect(grepExpression({ pattern: "foo", caseInsensitive: true }).regex(true).flags).toBe("giu");
    expect(grepExpression({ pattern: "(?-i)foo", caseInsensitive: true }).regex(true).flags).toBe("gu");
  });

  it.each([
    ["foo", true],
    ["a?b{1,3}", true],
    ["[ab]c*d", false],
    ["(a|a)+$", true],
    ["^(a|a)+$", false],
    ["(a{2}){9}", false],
  ])("says whether %s is sure to end soon: %j", (pattern, isBounded) => {
    expect(grepExpression({ pattern }).isBounded).toBe(isBounded);
  });

  it("searches line by line when a multiline pattern cannot leave its line", () => {
    expect(grepExpression({ pattern: "foo.bar", multiline: true }).isMultiline).toBe(false);
    expect(grepExpression({ pattern: "foo\\s", multiline: true }).isMultiline).toBe(true);
    expect(grepExpression({ pattern: "foo[^a]", multiline: true }).isMultiline).toBe(true);
  });

  it("refuses what Rust's expressions do not have, with the search root", () => {
    for (const pattern of ["(?=a)", "(?<!a)b", "\\1", "a(", "[z-a]", "\\p{Nope}", "a\\nb", "*a", "a{3,1}"]) {
      expect(() => grepExpression({ pattern, path: "/src" })).toThrow(new InvalidGrepPatternError("/src", pattern));
    }
  });
});
