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
    ["export\\s+(async\\s+)?function\\s+\\w+", ["function"]],
    ["\\b[A-Z]\\w+Error\\b", ["Error"]],
    ["x(abc)+d", ["abc"]],
    ["[a-z]+", []],
    ["foo|bar", ["foo", "bar"]],
    ["(foo|bar|foo)+x", ["foo", "bar"]],
    ["foo|[a-z]", []],
    ["(a|b)long(foo|bar)", ["long"]],
    ["a|b|c|d|e|f|g|h|i", []],
    ["x?yz", ["yz"]],
    ["^ab$", ["ab"]],
  ])("every match of %s holds one of %j", (pattern, required) => {
    expect(grepExpression({ pattern }).required).toEqual(required);
  });

  it("knows no required string when case is ignored, but of what has no case", () => {
    expect(grepExpression({ pattern: "foo", caseInsensitive: true })).toMatchObject({
      literal: undefined,
      required: [],
    });
    expect(grepExpression({ pattern: "12-34", caseInsensitive: true }).literal).toBe("12-34");
  });

  it.each([
    ["(a+)+$", "a(?=\\r?(?:\\n|$))"],
    ["^(a+)+$", "(?<=^|\\n)a+(?=\\r?(?:\\n|$))"],
    ["\\w+Error", "[0-9A-Z_a-z]Error"],
    [".*\\s*x{2,5}", "x{2}"],
    ["a**b", "b"],
    ["x(?i)y", "x[Yy]"],
    ["[^a]", "[\\x00-\\x09\\x0b\\x0c\\x0e-\\x60b-\\x7f]"],
    ["[\\W\\d]", "[\\x00-\\x09\\x0b\\x0c\\x0e-\\x40\\x5b-\\x5e\\x60\\x7b-\\x7f]"],
    ["\\p{Lu}é", "[A-Z][]"],
    ["(?i)\u212a", "[Kk]"],
  ])("%s is written as %s for an ASCII text, which needs no flags", (pattern, source) => {
    const regex = grepExpression({ pattern }).forms(false).ascii;
    expect([regex.source, regex.flags]).toEqual([source, "g"]);
  });

  it("uses one flag for case where the whole pattern ignores it", () => {
    expect(grepExpression({ pattern: "(?i)fook" }).forms(false).full.flags).toBe("giu");
    expect(grepExpression({ pattern: "fook", caseInsensitive: true }).forms(false).full.flags).toBe("giu");
    expect(grepExpression({ pattern: "(?-i)fook", caseInsensitive: true }).forms(false).full.flags).toBe("g");
  });

  it.each([
    ["fo[a-z]", true],
    ["^foo$", true],
    ["(?i)foo", true],
    ["(?i)fook", false],
    ["fo.", false],
    ["\\bfoo", false],
    ["é", false],
  ])("says whether %s finds the same in any text in its ASCII form: %j", (pattern, isSame) => {
    const expression = grepExpression({ pattern });
    expect(expression.forms(false).ascii === expression.forms(false).full).toBe(isSame);
  });

  it.each([
    ["foo", true],
    ["a?b{1,3}", true],
    ["[ab]c*d", false],
    ["(a|a)+$", true],
    ["^(a|a)+$", false],
    ["(a{2}){9}", true],
    ["(a|b){3}c", true],
    ["(a|b){16}c", false],
    [`y${"x?".repeat(20)}${"x".repeat(20)}`, false],
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
