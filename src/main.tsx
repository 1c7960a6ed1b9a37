import { createRoot } from "react-dom/client";
import { seededRandom, systemClock, ulid } from "./base";
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

const loadSample = () => import("./examples/sampleProject");
// A first visit shows it: it is on its way while the storage opens. What fails to load says so when it is wanted.
if (browserMemory.get("visited") === undefined) loadSample().catch(() => undefined);

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
  async sample() {
    const { SAMPLE_NEXT_PROMPT, SAMPLE_PROJECT_NAME, sampleProject } = await loadSample();
    return { name: SAMPLE_PROJECT_NAME, document: sampleProject, nextPrompt: SAMPLE_NEXT_PROMPT };
  },
});

const root = document.getElementById("root");
if (root) createRoot(root).render(<App host={host} />);
await host.begin();
