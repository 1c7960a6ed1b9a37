import { DiscoveryError, type DiscoveryFault } from "../index";
import { errorSentence } from "./commandError";

/** What is wrong with the files of an agent's folder, gathered file by file. */
export class FolderFaults {
  readonly #faults: DiscoveryFault[] = [];
  readonly #warnings: DiscoveryFault[] = [];

  add(field: string, problem: string, mend: string): void {
    this.#faults.push({ field, problem, mend });
  }

  warn(field: string, problem: string, mend: string): void {
    this.#warnings.push({ field, problem, mend });
  }

  lists(): { readonly faults: readonly DiscoveryFault[]; readonly warnings: readonly DiscoveryFault[] } {
    return { faults: this.#faults, warnings: this.#warnings };
  }

  /** What a file exports; `undefined`, with the reason among the faults, where it cannot be had. */
  async defaultOf(
    file: string,
    load: () => Promise<Readonly<Record<string, unknown>>>,
    expected: string,
  ): Promise<unknown> {
    const loaded = await this.madeBy(file, load);
    if (loaded === undefined) return undefined;
    if (loaded["default"] === undefined) this.add(file, "It has no default export.", `Write: ${expected}`);
    return loaded["default"];
  }

  /** What `make` answers; what it throws is among the faults, each of a definition's own beside the others. */
  async madeBy<Made>(file: string, make: () => Made | Promise<Made>): Promise<Made | undefined> {
    try {
      return await make();
    } catch (error) {
      if (error instanceof DiscoveryError) {
        for (const fault of error.faults) this.add(`${file}: ${fault.field}`, fault.problem, fault.mend);
      } else this.add(file, `It cannot be loaded: ${errorSentence(error)}`, "Mend the file.");
      return undefined;
    }
  }
}
