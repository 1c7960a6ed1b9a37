import { createRoot } from "react-dom/client";
import { seededRandom, systemClock, ulid } from "./base";
import { SAMPLE_NEXT_PROMPT, SAMPLE_PROJECT_NAME, sampleProject } from "./examples/sampleProject";
import { createWorkerEngine } from "./fs";
import type { WebContainerPage } from "./host";
import { createKeyring } from "./secrets";
import { openProjects } from "./storage";
import { createWorkbenchHost } from "./store";
import { App } from "./views/App";
import { openSignInWindow } from "./views/connections/openSignInWindow";
import { browserMemory } from "./views/widgets/browserMemory";
import { scheduleFrame } from "./views/shell/scheduleFrame";
import "./views/theme.css";
import "./views/widgets/widgets.css";

const keyring = createKeyring();
/** The vendor allows one a page. */
let containerPage: WebContainerPage | undefined;
const host = createWorkbenchHost({
  services: {
    catalog: await openProjects(),
    engine: createWorkerEngine({
      createWorker: () => new Worker(new URL("./fs/grep/engineWorker.ts", import.meta.url), { type: "module" }),
    }),
    keyring,
    clock: systemClock,
    randomSeed: () => ulid(systemClock(), seededRandom(crypto.getRandomValues(new Uint32Array(4)).join(" "))),
    createModel: async (settings) => (await import("./model")).createModel(settings, { keyring }),
    createHost: async (kind, place) => {
      const { embeddedHost, webContainerPage, webcontainerHost } = await import("./host");
      if (kind === "embedded") return embeddedHost(place);
      containerPage ??= webContainerPage();
      return webcontainerHost({ page: containerPage, disk: place.disk });
    },
    openSignInWindow,
    scheduleFrame,
  },
  memory: browserMemory,
  sample: { name: SAMPLE_PROJECT_NAME, document: sampleProject, nextPrompt: SAMPLE_NEXT_PROMPT },
});

const root = document.getElementById("root");
if (root) createRoot(root).render(<App host={host} />);
await host.begin();
