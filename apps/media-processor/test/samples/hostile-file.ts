/** A hostile file, and the format that an upload might have recognised it as. */
export interface HostileFile {
  readonly what: string;
  readonly kind: 'image' | 'video';
  readonly format: string;
  readonly bytes: Buffer;
  readonly frames?: number;
  /** How its job must end. `harmless` files are still pictures. */
  readonly outcome: 'refused' | 'harmless' | 'either';
}

/** Files and addresses that the hostile files refer to, and that no decoder may open. */
export interface ForbiddenTargets {
  /** A video, a picture and a text beside the input. */
  readonly video: string;
  readonly picture: string;
  readonly text: string;
  /** An address that would answer if there were a network. */
  readonly address: string;
}

export const latin = (text: string): Buffer => Buffer.from(text, 'latin1');

/** Arguments with which ffmpeg encodes quickly. */
export const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
