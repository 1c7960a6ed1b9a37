import type { Plugin } from "vite";

/** A place of the package's script that loses what a script had printed, and what stands there instead. */
interface Mend {
  readonly place: string;
  readonly mended: string;
}

const MENDS: readonly Mend[] = [
  // The target of a redirection cannot be opened: thrown, unless it is a path of /dev.
  {
    place: 'catch(a){if(!s)throw a;return{error:Q("",`bash: ${t}: cannot open redirect target\n`,1)}}',
    mended: 'catch(a){return{error:Q("",`bash: ${t}: ${a.words??"cannot open redirect target"}\n`,1)}}',
  },
  // It cannot be written: what the disk refuses was thrown through all of the script. An error of the host's has `words`.
  {
    place: "let E=async(A,O,R)=>{A.append?await e.fs.appendFile(A.path,O,R):await e.fs.writeFile(A.path,O,R)};",
    mended:
      "let E=async(A,O,R)=>{try{A.append?await e.fs.appendFile(A.path,O,R):await e.fs.writeFile(A.path,O,R)}" +
      "catch(fault){if(fault.words===undefined)throw fault;c+=`bash: ${A.path}: ${fault.words}\n`,u=1}};",
  },
  // A deadline and a stop. Errors of limits take along what was printed on their way out, and these become some of those.
  {
    place: 'He=class extends yt{name="ExecutionAbortedError";constructor(t="",n=""){super("execution aborted",t,n)}}',
    mended:
      'He=class extends C{name="ExecutionAbortedError";constructor(t="",n=""){super("execution aborted","aborted",t,n)}}',
  },
];

/**
 * just-bash 3.4.2 with what a script had printed kept where the package would lose it: at a redirection the disk refuses, at
 * the deadline and at a stop (docs/hosts.md, section 2). A build with another version of the package fails.
 */
export function bashMends(): Plugin {
  return {
    name: "bash-mends",
    transform(code, id) {
      return /just-bash\/dist\/bundle\/browser\.js/.test(id) ? { code: mendedBash(code), map: null } : undefined;
    },
  };
}

/** @throws Error when a place is not there exactly once */
export function mendedBash(code: string): string {
  return MENDS.reduce((text, { place, mended }) => {
    const parts = text.split(place);
    if (parts.length !== 2) throw new Error(`just-bash is another than it was at ${place}: see scripts/bashMends.ts.`);
    return parts.join(mended);
  }, code);
}
