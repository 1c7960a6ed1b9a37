import type { Plugin } from "vite";

/** Where just-bash 3.4.2 opens the target of a redirection, and lets an error of the disk end the whole script. */
const OPENING =
  /catch\((\w+)\)\{if\(!\w+\)throw \1;return\{error:(\w+)\("",`bash: \$\{(\w+)\}: cannot open redirect target\n`,1\)\}\}/;

/**
 * A redirection that cannot be opened fails as in any shell: words on standard error, status 1, and the script goes on. The
 * package throws instead, and with it goes all the script had printed (docs/hosts.md, section 2).
 */
export function bashRedirections(): Plugin {
  return {
    name: "bash-redirections",
    transform(code, id) {
      if (!/just-bash\/dist\/bundle\/browser\.js/.test(id)) return undefined;
      if (!OPENING.test(code))
        throw new Error("just-bash opens redirections otherwise than it did: see scripts/bashRedirections.ts.");
      const mended = code.replace(
        OPENING,
        (_, error, result, target) =>
          `catch(${error}){return{error:${result}("",\`bash: \${${target}}: \${${error}.words??"cannot open redirect target"}\\n\`,1)}}`,
      );
      return { code: mended, map: null };
    },
  };
}
