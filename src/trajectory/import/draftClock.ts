import { seededRandom, ulid, type Random } from "../../base";
import type { EventMeta } from "../../session";
import type { Where } from "./importBuilder";
import { instant } from "./jsonAccess";

/** Gives the events of one session ids, which follow from the file alone, and the times the recording says. */
export class DraftClock {
  readonly #random: Random;
  #lastMs = 0;
  #lastTime: EventMeta["time"] = "missing";
  /** How many entries said when they happened, with and without a zone, and how many did not. */
  readonly told = { real: 0, naive: 0, missing: 0 };

  constructor(seed: string) {
    this.#random = seededRandom(seed);
  }

  /** The envelope of what the recording itself holds. An entry without a time stands at that of the one before. */
  entry(where: Where): EventMeta {
    const known = where.at === undefined ? undefined : instant(where.at);
    if (known !== undefined) this.#lastMs = known.at.getTime();
    const time: EventMeta["time"] =
      known === undefined ? "missing" : known.naive || where.naive === true ? "naive" : undefined;
    if (known !== undefined) this.#lastTime = time;
    this.told[time ?? "real"]++;
    return {
      ...this.#stamp(),
      ...(where.origin === undefined ? {} : { origin: where.origin }),
      ...(time === undefined ? {} : { time }),
      ...(where.replay === false ? { replay: false } : {}),
    };
  }

  /** The envelope of what follows from the entries: an end nobody wrote down, at the time of the last entry. */
  derived(): EventMeta {
    return { ...this.#stamp(), ...(this.#lastTime === undefined ? {} : { time: this.#lastTime }) };
  }

  #stamp(): EventMeta {
    return { id: `evt_${ulid(this.#lastMs, this.#random)}`, at: new Date(this.#lastMs).toISOString() };
  }
}
