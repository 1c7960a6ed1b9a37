/*
 * The block function of SHA-256 (FIPS 180-4) in WebAssembly, over four messages at a time: a lane of a 128-bit register
 * each. The module is put together here from its instructions, under their names in WebAssembly's specification.
 */

/** Where things lie in its memory: words of all lanes side by side, 16 bytes; then each lane's message. */
const STATE_AT = 0;
const CONSTANTS_AT = 128;
const SCHEDULE_AT = CONSTANTS_AT + 64 * 16;
const SLOTS_AT = 4_096;
const SLOT_BYTES = 16 * 1_024;
const MEMORY_PAGES = 2;

export const sha256Memory = { stateAt: STATE_AT, slotsAt: SLOTS_AT, slotBytes: SLOT_BYTES } as const;

export interface Sha256Module {
  readonly bytes: Uint8Array;
  /** Takes in so many blocks of every lane, from where each lane's begin. */
  readonly run: (lane0: number, lane1: number, lane2: number, lane3: number, blocks: number) => void;
}

/** @returns `undefined` where there is no WebAssembly with 128-bit lanes, or the page's policy allows none */
export function sha256Module(): Sha256Module | undefined {
  // Lanes are in the order of the machine, which is little-endian wherever there is a browser.
  if (globalThis.WebAssembly === undefined || new Uint8Array(Uint32Array.of(1).buffer)[0] !== 1) return undefined;
  try {
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(moduleBytes()));
    const memory = exports["memory"] as WebAssembly.Memory;
    const constants = new Uint32Array(memory.buffer, CONSTANTS_AT, 64 * 4);
    for (const [index, constant] of roundConstants().entries()) constants.fill(constant, index * 4, index * 4 + 4);
    return { bytes: new Uint8Array(memory.buffer), run: exports["run"] as unknown as Sha256Module["run"] };
  } catch {
    return undefined;
  }
}

/** The first 32 bits of the fractional parts of the square roots of the first eight primes. */
export function initialState(): number[] {
  return firstPrimes(8).map((prime) => fraction(integerRoot(BigInt(prime) << 64n, 2n)));
}

/** The same of the cube roots of the first 64. */
function roundConstants(): number[] {
  return firstPrimes(64).map((prime) => fraction(integerRoot(BigInt(prime) << 96n, 3n)));
}

function firstPrimes(count: number): number[] {
  const primes: number[] = [];
  for (let number = 2; primes.length < count; number++) {
    if (primes.every((prime) => number % prime !== 0)) primes.push(number);
  }
  return primes;
}

function fraction(root: bigint): number {
  return Number(root & 0xffffffffn);
}

/** The largest whole number whose power is not above the value. */
function integerRoot(value: bigint, power: bigint): bigint {
  let root = 0n;
  for (let bit = 1n << 40n; bit > 0n; bit >>= 1n) if ((root + bit) ** power <= value) root += bit;
  return root;
}

type Code = readonly number[];

const code = (...parts: readonly Code[]): Code => parts.flat();

function unsigned(value: number): Code {
  return value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >>> 7)];
}

function signed(value: number): Code {
  return value >= -64 && value < 64 ? [value & 127] : [(value & 127) | 128, ...signed(value >> 7)];
}

const simd = (opcode: number): Code => [0xfd, ...unsigned(opcode)];
const get = (local: number): Code => [0x20, local];
const set = (local: number): Code => [0x21, local];
const i32Const = (value: number): Code => [0x41, ...signed(value)];
const i32Add: Code = [0x6a];
const i32LessThan: Code = [0x49];
const v128Load = (offset: number): Code => [...simd(0), 0, ...unsigned(offset)];
const v128Store = (offset: number): Code => [...simd(11), 0, ...unsigned(offset)];
const v128Xor = simd(0x51);
const v128Or = simd(0x50);
const v128Bitselect = simd(0x52);
const i8x16Shuffle = (indices: Code): Code => [...simd(13), ...indices];
const i32x4Add = simd(0xae);
const i32x4ShiftLeft = simd(0xab);
const i32x4ShiftRight = simd(0xad);

/** `do body while (condition)`. */
const loop = (body: Code, condition: Code): Code => code([0x03, 0x40], body, condition, [0x0d, 0, 0x0b]);

/* Locals 0 to 3 are where the lanes read. */
const BLOCKS = 4;
const PLACE = 5;
/** The state, a to h. */
const WORDS = [6, 7, 8, 9, 10, 11, 12, 13] as const;
const WORK = 14;

const xor3 = (first: Code, second: Code, third: Code) => code(first, second, v128Xor, third, v128Xor);
const shifted = (value: Code, bits: number) => code(value, i32Const(bits), i32x4ShiftRight);
const rotated = (value: Code, bits: number) =>
  code(shifted(value, bits), value, i32Const(32 - bits), i32x4ShiftLeft, v128Or);

/** Four words of every lane into the schedule, a word of all lanes a register, in the standard's order of bytes. */
function loadWords(group: number): Code {
  const [a, b, c, d, low01, high01, low23, high23] = WORDS;
  const row = (lane: number, into: number) => code(get(lane), v128Load(group * 16), set(into));
  const turned = (from: number) => [3, 2, 1, 0].map((byte) => from + byte);
  const pair = (first: number, second: number, at: number, into: number) =>
    code(
      get(first),
      get(second),
      i8x16Shuffle(code(turned(at), turned(at + 16), turned(at + 4), turned(at + 20))),
      set(into),
    );
  const half = (at: number) => Array.from({ length: 16 }, (_, byte) => at + byte + (byte < 8 ? 0 : 8));
  const word = (first: number, second: number, at: number, number: number) =>
    code(
      i32Const(0),
      get(first),
      get(second),
      i8x16Shuffle(half(at)),
      v128Store(SCHEDULE_AT + (group * 4 + number) * 16),
    );
  return code(
    row(0, a),
    row(1, b),
    row(2, c),
    row(3, d),
    pair(a, b, 0, low01),
    pair(a, b, 8, high01),
    pair(c, d, 0, low23),
    pair(c, d, 8, high23),
    word(low01, low23, 0, 0),
    word(low01, low23, 8, 1),
    word(high01, high23, 0, 2),
    word(high01, high23, 8, 3),
  );
}

/** Words 16 to 63 of the schedule. */
function expandSchedule(): Code {
  const back = (words: number) => code(get(PLACE), v128Load(SCHEDULE_AT + (16 - words) * 16));
  const [old, young] = [get(WORDS[0]), get(WORDS[1])];
  const word = code(
    back(15),
    set(WORDS[0]),
    back(2),
    set(WORDS[1]),
    get(PLACE),
    back(16),
    back(7),
    i32x4Add,
    xor3(rotated(old, 7), rotated(old, 18), shifted(old, 3)),
    i32x4Add,
    xor3(rotated(young, 17), rotated(young, 19), shifted(young, 10)),
    i32x4Add,
    v128Store(SCHEDULE_AT + 16 * 16),
  );
  return repeated(word, 16, 48 * 16);
}

/** From place 0 on by `step`, as long as it is less than `end`. */
function repeated(body: Code, step: number, end: number): Code {
  const onward = code(get(PLACE), i32Const(step), i32Add, set(PLACE));
  return code(i32Const(0), set(PLACE), loop(code(body, onward), code(get(PLACE), i32Const(end), i32LessThan)));
}

/** One of eight rounds: instead of moving the words of the state on, each round names them one further. */
function round(number: number): Code {
  const local = (word: number) => WORDS[(word + 8 - number) % 8] ?? WORK;
  const [a, b, c, d] = [get(local(0)), get(local(1)), get(local(2)), get(local(3))];
  const [e, f, g, h] = [get(local(4)), get(local(5)), get(local(6)), get(local(7))];
  const at = (begin: number) => code(get(PLACE), v128Load(begin + number * 16));
  return code(
    code(h, xor3(rotated(e, 6), rotated(e, 11), rotated(e, 25)), i32x4Add),
    code(f, g, e, v128Bitselect, i32x4Add),
    code(at(CONSTANTS_AT), i32x4Add, at(SCHEDULE_AT), i32x4Add, set(WORK)),
    code(d, get(WORK), i32x4Add, set(local(3))),
    code(get(WORK), xor3(rotated(a, 2), rotated(a, 13), rotated(a, 22)), i32x4Add),
    code(c, b, a, b, v128Xor, v128Bitselect, i32x4Add, set(local(7))),
  );
}

function blockFunction(): Code {
  const state = WORDS.map((word, index) => ({ word, load: code(i32Const(0), v128Load(STATE_AT + index * 16)), index }));
  const rounds = [0, 1, 2, 3, 4, 5, 6, 7].flatMap(round);
  const oneBlock = code(
    ...[0, 1, 2, 3].map(loadWords),
    expandSchedule(),
    ...state.map(({ word, load }) => code(load, set(word))),
    repeated(rounds, 8 * 16, 64 * 16),
    ...state.map(({ word, load, index }) =>
      code(i32Const(0), load, get(word), i32x4Add, v128Store(STATE_AT + index * 16)),
    ),
    ...[0, 1, 2, 3].map((lane) => code(get(lane), i32Const(64), i32Add, set(lane))),
    code(get(BLOCKS), i32Const(-1), i32Add, set(BLOCKS)),
  );
  return loop(oneBlock, get(BLOCKS));
}

function moduleBytes(): Uint8Array<ArrayBuffer> {
  const sized = (content: Code) => code(unsigned(content.length), content);
  const section = (id: number, content: Code) => code([id], sized(content));
  const name = (text: string) => sized(Array.from(text, (letter) => letter.charCodeAt(0)));
  const [i32, v128] = [0x7f, 0x7b];
  const locals: Code = [2, 1, i32, WORDS.length + 1, v128];
  return Uint8Array.from(
    code(
      [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
      section(1, [1, 0x60, 5, i32, i32, i32, i32, i32, 0]),
      section(3, [1, 0]),
      section(5, [1, 0, MEMORY_PAGES]),
      section(7, code([2], name("memory"), [2, 0], name("run"), [0, 0])),
      section(10, code([1], sized(code(locals, blockFunction(), [0x0b])))),
    ),
  );
}
