import { vi } from "vitest";
import { tempFs } from "../../fs";
import type { HostDisk } from "../host";
import { describeHost, type HostUnderTest } from "../host.suite";
import { webcontainerHost } from "./webcontainerHost";
import { webContainerPage } from "./webContainerPage";

// The vendor's own client against a page that speaks its protocol, with a simulated bash where Node would be.
vi.stubGlobal("WEBCONTAINER_API_IFRAME_URL", location.origin);
const page = webContainerPage({ bootMs: 55_000 });

function tested(disk: HostDisk): HostUnderTest {
  const host = webcontainerHost({ page, disk });
  return {
    host,
    reopen: async () => {
      await host.dispose();
      return tested(disk);
    },
    close: () => host.dispose(),
  };
}

describeHost("WebContainer", async () => tested(tempFs()), {
  skips: {
    stderr: "the container merges both streams into one",
    "output so far": "what stands in for the container prints at the end of a command",
    "hot loop": "what stands in for the container shares the page's thread",
  },
});
