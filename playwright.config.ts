import { defineConfig } from "@playwright/test";
import { chromiumArgs, findChromium } from "./scripts/findChromium.mjs";

const PORT = 4273;
const executablePath = findChromium();

export default defineConfig({
  testDir: "e2e",
  // Made for two cores: a test waits for much of its time (a paced planner, saves, animations), so three fill them.
  workers: 3,
  // A browser that a busy machine starves is tried once more; the report says so ("flaky"). The second try is traced: to
  // trace every test takes a third of the machine.
  retries: 1,
  timeout: 90_000,
  expect: { timeout: 10_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: [["list"]],
  use: {
    baseURL: `http://localhost:${PORT}/`,
    viewport: { width: 1440, height: 900 },
    trace: "on-first-retry",
    launchOptions: { args: chromiumArgs, ...(executablePath === undefined ? {} : { executablePath }) },
  },
  webServer: {
    command: `npm run --silent preview -- --port ${PORT} --strictPort`,
    port: PORT,
    reuseExistingServer: !process.env.OWN_SERVER,
  },
});
