/** A peer behind the one face the benchmark needs. */
export interface PeerDisk {
  makeDirectory(path: string): Promise<void>;
  write(path: string, text: string): Promise<void>;
  flush(): Promise<void>;
}
export function lightningDisk(name: string): PeerDisk;
export function zenDisk(name: string): Promise<PeerDisk>;
