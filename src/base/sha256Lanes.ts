import { bytesToHex } from "@noble/hashes/utils.js";
import { initialState, sha256Memory, sha256Module, type Sha256Module } from "./sha256Module";

const LANES = 4;
const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;
const DIGEST_DIGITS = 64;
/** A bit, and the length in 64. */
const PADDING_BYTES = 9;

/** Bytes of the largest value this takes; larger ones are as well off with WebCrypto. */
export const LANE_BYTES = sha256Memory.slotBytes - BLOCK_BYTES - PADDING_BYTES;

/** Made when it is first needed. */
let lanes: { readonly module: Sha256Module; readonly initial: readonly number[] } | "none" | undefined;

/**
 * SHA-256 of many small values in hex, in their order, four at a time: a call of WebCrypto costs more than hashing 2 KiB
 * does, and hashing in JavaScript several times as much.
 * @returns `undefined` where this cannot be, or a value is larger than `LANE_BYTES`
 */
export function sha256HexLanes(values: readonly Uint8Array[]): string[] | undefined {
  if (values.some(({ length }) => length > LANE_BYTES)) return undefined;
  if (lanes === undefined) {
    const module = sha256Module();
    lanes = module === undefined ? "none" : { module, initial: initialState() };
  }
  if (lanes === "none") return undefined;
  const digests = new Uint8Array(values.length * DIGEST_BYTES);
  new Hashing(lanes.module, lanes.initial, values, new DataView(digests.buffer)).run();
  const hex = bytesToHex(digests);
  return values.map((_, index) => hex.slice(index * DIGEST_DIGITS, (index + 1) * DIGEST_DIGITS));
}

/** What a lane works on. */
interface Lane {
  readonly number: number;
  /** Which of the values; -1 when there is none left for it. */
  index: number;
  at: number;
  blocksLeft: number;
}

/** Each lane takes the next value as soon as it is done with its own. */
class Hashing {
  readonly #module: Sha256Module;
  readonly #state: Uint32Array;
  readonly #values: readonly Uint8Array[];
  readonly #digests: DataView;
  readonly #initial: readonly number[];
  readonly #lanes: readonly [Lane, Lane, Lane, Lane];
  #next = 0;
  #busy = 0;

  constructor(module: Sha256Module, initial: readonly number[], values: readonly Uint8Array[], digests: DataView) {
    this.#module = module;
    this.#initial = initial;
    this.#state = new Uint32Array(module.bytes.buffer, sha256Memory.stateAt, 8 * LANES);
    this.#values = values;
    this.#digests = digests;
    const lane = (number: number): Lane => ({ number, index: -1, at: sha256Memory.slotsAt, blocksLeft: Infinity });
    this.#lanes = [lane(0), lane(1), lane(2), lane(3)];
  }

  run(): void {
    const [a, b, c, d] = this.#lanes;
    for (const lane of this.#lanes) this.#take(lane);
    while (this.#busy > 0) {
      const blocks = Math.min(a.blocksLeft, b.blocksLeft, c.blocksLeft, d.blocksLeft);
      this.#module.run(a.at, b.at, c.at, d.at, blocks);
      for (const lane of this.#lanes) {
        if (lane.index < 0) continue;
        lane.at += blocks * BLOCK_BYTES;
        lane.blocksLeft -= blocks;
        if (lane.blocksLeft === 0) this.#finish(lane);
      }
    }
  }

  #take(lane: Lane): void {
    const value = this.#values[this.#next];
    if (value === undefined) {
      // It goes on with whatever is there, and nobody looks.
      lane.index = -1;
      lane.blocksLeft = Infinity;
      lane.at = sha256Memory.slotsAt;
      return;
    }
    lane.index = this.#next++;
    lane.at = sha256Memory.slotsAt + lane.number * sha256Memory.slotBytes;
    lane.blocksLeft = placed(this.#module.bytes, value, lane.at);
    this.#busy++;
    for (let word = 0; word < 8; word++) this.#state[word * LANES + lane.number] = this.#initial[word] ?? 0;
  }

  #finish(lane: Lane): void {
    for (let word = 0; word < 8; word++) {
      this.#digests.setUint32(lane.index * DIGEST_BYTES + word * 4, this.#state[word * LANES + lane.number] ?? 0);
    }
    this.#busy--;
    this.#take(lane);
  }
}

/** Copies a value to where a lane reads it, padded as the standard says. @returns its blocks */
function placed(bytes: Uint8Array, value: Uint8Array, at: number): number {
  const blocks = Math.ceil((value.length + PADDING_BYTES) / BLOCK_BYTES);
  const end = at + blocks * BLOCK_BYTES;
  bytes.set(value, at);
  bytes.fill(0, at + value.length, end);
  bytes[at + value.length] = 0x80;
  const bits = value.length * 8;
  for (let byte = 0; byte < 3; byte++) bytes[end - 1 - byte] = bits >>> (8 * byte);
  return blocks;
}
