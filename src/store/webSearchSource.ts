import type { ModelSettings } from "../model";
import type { Keyring } from "../secrets";
import { endpointSearch, fixtureSearch, type WebSearchSource } from "../tools";
import { SEARCH_KEY_USE } from "./searchKeyUse";
import type { WorkbenchServices } from "./workbenchServices";

export interface WebSearchNeeds {
  /** The model of the run; left out where none is to be loaded for the asking. */
  readonly settings?: ModelSettings;
  readonly endpoint: string | undefined;
  readonly services: Pick<WorkbenchServices, "createModel" | "keyring">;
}

/** What searches the web for a run: the model itself where it can, else the service a person named, else the fixture. */
export async function webSearchSource({ settings, endpoint, services }: WebSearchNeeds): Promise<WebSearchSource> {
  const own = settings === undefined ? undefined : await ownSearch(settings, services);
  if (own !== undefined) return own;
  if (endpoint === undefined || endpoint === "") return fixtureSearch();
  return endpointSearch({ endpoint, key: () => searchKey(services.keyring, endpoint) });
}

function searchKey(keyring: Keyring, endpoint: string): string | undefined {
  return keyring.get(endpoint, SEARCH_KEY_USE);
}

/** A model that cannot be made says so in the run itself. */
async function ownSearch(
  settings: ModelSettings,
  services: WebSearchNeeds["services"],
): Promise<WebSearchSource | undefined> {
  if (settings.kind === "demo") return undefined;
  try {
    const { providerSearch } = await import("../model");
    return providerSearch(await services.createModel(settings));
  } catch {
    return undefined;
  }
}
