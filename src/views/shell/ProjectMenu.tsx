import { Copy, Download, Pencil, Plus, Trash2, Upload } from "lucide-react";
import { useRef } from "react";
import { useStore } from "zustand";
import { useWorkbench } from "../workbenchContext";
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuSeparator } from "../widgets/Menu";
import { useShell, type Shell } from "./shellContext";
import { useExportProject } from "./useExportProject";

const ICON = { size: 14, "aria-hidden": true } as const;

/** The project's name, and all that can be done with projects. */
export function ProjectMenu() {
  const { project, importProject } = useWorkbench();
  const name = useStore(project, (state) => state.name);
  const id = useStore(project, (state) => state.id);
  const projects = useStore(project, (state) => state.projects);
  const shell = useShell();
  const fileInput = useRef<HTMLInputElement>(null);
  return (
    <>
      <Menu
        width={280}
        trigger={
          <button type="button" className="project-trigger" title={name}>
            <span className="dim" aria-hidden="true">
              /
            </span>
            <span className="truncate">{name}</span>
            <span aria-hidden="true">▾</span>
          </button>
        }
      >
        <MenuLabel>Projects</MenuLabel>
        <MenuChoice
          value={id}
          choices={projects.map((record) => ({ value: record.id, label: record.name }))}
          onChange={(projectId) => void project.getState().openProject(projectId)}
        />
        <MenuSeparator />
        <ProjectItems shell={shell} chooseFile={() => fileInput.current?.click()} />
      </Menu>
      <input
        ref={fileInput}
        type="file"
        accept=".zip"
        className="visually-hidden"
        aria-label="Project to import"
        tabIndex={-1}
        onChange={(event) => {
          const file = event.target.files?.[0];
          event.target.value = "";
          if (file) void importProject({ name: file.name, contents: file });
        }}
      />
    </>
  );
}

function ProjectItems({ shell, chooseFile }: { readonly shell: Shell; readonly chooseFile: () => void }) {
  const { project } = useWorkbench();
  const exportProject = useExportProject();
  return (
    <>
      <MenuItem icon={<Plus {...ICON} />} onSelect={() => shell.show("new-project")}>
        New project…
      </MenuItem>
      <MenuItem icon={<Pencil {...ICON} />} onSelect={() => shell.show("rename-project")}>
        Rename…
      </MenuItem>
      <MenuItem icon={<Copy {...ICON} />} onSelect={() => void project.getState().duplicateProject()}>
        Duplicate
      </MenuItem>
      <MenuItem icon={<Download {...ICON} />} onSelect={() => void exportProject()}>
        Export as zip
      </MenuItem>
      <MenuItem icon={<Upload {...ICON} />} onSelect={chooseFile}>
        Import a project…
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={<Trash2 {...ICON} />} danger onSelect={() => shell.show("delete-project")}>
        Delete this project…
      </MenuItem>
    </>
  );
}
