/** A peer behind the one face the benchmark needs. */
export interface PeerDisk {
  makeDirectory(path: string): Promise<unknown>;
  write(path: string, text: string): Promise<unknown>;
  read(path: string): Promise<unknown>;
  stat(path: string): Promise<unknown>;
  /** How many entries there are. */
  list(): Promise<number>;
  flush(): Promise<unknown>;
}
export function lightningDisk(name: string): PeerDisk;
export function zenDisk(name: string): Promise<PeerDisk>;
export function memfsDisk(): PeerDisk;
export function keyvalDisk(name: string): PeerDisk;
export function opfsDisk(name: string): Promise<PeerDisk>;
export function opfsPackWrite(name: string, buffers: readonly Uint8Array[]): Promise<void>;
export function opfsPackRead(name: string): Promise<ArrayBuffer>;
export function clearOpfs(): Promise<void>;
