import { Download } from "lucide-react";
import { useState } from "react";
import { useStore } from "zustand";
import { exportedReplay, messageFromError, replayExports, type ReplayExport } from "../../store";
import { useWorkbench } from "../workbenchContext";
import { Button } from "../widgets/Button";
import { Menu, MenuItem, MenuLabel } from "../widgets/Menu";
import { saveFile } from "../widgets/saveFile";

/** Saves the session, and those that work for it, in a format of ours or of others. */
export function ExportMenu() {
  const { replay, session, storage, notices } = useWorkbench();
  const sessionId = useStore(replay, (state) => state.sessionId);
  const [making, setMaking] = useState(false);
  const save = async (format: ReplayExport) => {
    if (sessionId === undefined) return;
    setMaking(true);
    try {
      const pageAddress = location.href.replace(/#.*$/, "");
      const file = await exportedReplay({ session, storage }, sessionId, { format, pageAddress });
      saveFile(file.name, file.contents);
    } catch (error) {
      notices.getState().push({ tone: "bad", text: `The session was not exported: ${messageFromError(error)}` });
    }
    setMaking(false);
  };
  return (
    <Menu
      align="end"
      width={280}
      trigger={
        <Button size="small" disabled={making}>
          <Download size={14} aria-hidden="true" />
          {making ? "Exporting…" : "Export"}
        </Button>
      }
    >
      <MenuLabel>The session and its subagents as</MenuLabel>
      {replayExports.map(({ value, label, detail }) => (
        <MenuItem key={value} detail={detail} onSelect={() => void save(value)}>
          {label}
        </MenuItem>
      ))}
    </Menu>
  );
}
