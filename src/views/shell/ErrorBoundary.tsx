import { Component, type ReactNode } from "react";
import type { Workbench } from "../../store";
import { Button } from "../widgets/Button";
import { saveFile } from "../widgets/saveFile";

interface ErrorBoundaryProps {
  readonly workbench: Workbench;
  readonly children: ReactNode;
}

interface ErrorBoundaryState {
  readonly error: Error | undefined;
  readonly saved: boolean;
}

/** When the screen breaks, the work does not: it is saved, and offered as a file. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { error: undefined, saved: false };

  static getDerivedStateFromError(error: unknown): Partial<ErrorBoundaryState> {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override componentDidCatch(): void {
    void this.#save();
  }

  override render(): ReactNode {
    const { error, saved } = this.state;
    if (!error) return this.props.children;
    return (
      <main className="failure" role="alert">
        <h1 className="failure-title">The screen broke. Your work did not.</h1>
        <p className="muted">{this.#advice(saved)}</p>
        <pre className="failure-words mono scroll">{error.message}</pre>
        <div className="failure-buttons">
          <Button variant="primary" onClick={() => location.reload()}>
            Reload
          </Button>
          <Button onClick={() => void this.#export()}>Export the project</Button>
        </div>
      </main>
    );
  }

  #advice(saved: boolean): string {
    const { kept } = this.props.workbench.project.getState();
    if (!kept) return "This browser keeps nothing: export the project before you reload.";
    return saved
      ? "Everything is saved in this browser. Reload to go on; export the project if you want to be sure."
      : "Saving what you had open…";
  }

  async #save(): Promise<void> {
    const { editor, project } = this.props.workbench;
    await editor.getState().saveAll();
    await project.getState().flush();
    this.setState({ saved: true });
  }

  async #export(): Promise<void> {
    const file = await this.props.workbench.exportProject();
    if (file) saveFile(file.name, file.contents);
  }
}
