// Installs what is missing, builds the playground and opens it: `npm start` on a fresh machine.
import { existsSync, statSync } from "node:fs";
import { runNpm } from "./runNpm.mjs";

const INSTALLED = "node_modules/.package-lock.json";
const port = process.env.PORT ?? "4173";

const installed = existsSync(INSTALLED) && statSync(INSTALLED).mtimeMs >= statSync("package-lock.json").mtimeMs;
if (!installed && !runNpm(["ci"])) process.exit(1);
if (!runNpm(["run", "build"])) process.exit(1);
// Set BROWSER=none to serve without opening one.
process.exit(runNpm(["run", "preview", "--", "--port", port, "--open"]) ? 0 : 1);
