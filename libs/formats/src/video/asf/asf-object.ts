import type { ByteView } from '../../bytes/byte-view';
import { UnreadableFileError } from '../../errors/file-errors';

/** An object of an ASF file: a GUID, a size, content. */
export interface AsfObject {
  /** The 16 bytes of the GUID as they lie in the file, in lowercase hexadecimal. */
  readonly guid: string;
  readonly start: number;
  readonly body: number;
  readonly end: number;
}

export const OBJECT_HEADER = 24;
const MAX_OBJECTS = 10_000;

/** GUIDs by their names in the ASF specification (revision 01.20.06, section 10). */
export const GUID = {
  header: '3026b2758e66cf11a6d900aa0062ce6c',
  data: '3626b2758e66cf11a6d900aa0062ce6c',
  simpleIndex: '90080033b1e5cf1189f400a0c90349cb',
  index: 'd329e2d6da35d111903400a0c90349be',
  mediaObjectIndex: 'f803b1fead12644c840f2a1d2f7ad48c',
  timecodeIndex: 'd03fb73c4a0c0348953dedf7b6228f0c',
  fileProperties: 'a1dcab8c47a9cf118ee400c00c205365',
  streamProperties: '9107dcb7b7a9cf118ee600c00c205365',
  headerExtension: 'b503bf5f2ea9cf118ee300c00c205365',
  bitrateMutualExclusion: 'dc29e2d6da35d111903400a0c90349be',
  errorCorrection: '3526b2758e66cf11a6d900aa0062ce6c',
  streamBitrates: 'ce75f87b8d46d1118d82006097c9a2b2',
  contentEncryption: 'fbb3112223bdd211b4b700a0c955fc6e',
  extendedContentEncryption: '298ae61426224c17b935dae07ee9289c',
  extendedStreamProperties: 'cba5e61472c632438399a96952065b5a',
  advancedMutualExclusion: 'cf4986a0754770468a166e35357566cd',
  streamPrioritization: '5bd1fed4d3884f4581f0ed5c45999e24',
  languageList: 'a946437ce0effc4bb229393ede415c85',
  metadata: 'eacbf8c5af5b77488467aa8c44fa4cca',
  indexParameters: 'df29e2d6da35d111903400a0c90349be',
  compatibility: '5d8bf1268445ec479f5f0e651f0452c9',
  extendedContentDescription: '40a4d0d207e3d21197f000a0c95ea850',
  codecList: '4052d1861d31d011a3a400a0c90348f6',
  padding: '74d40618dfca0945a4ba9aabcb96aae8',
  audioMedia: '409e69f84d5bcf11a8fd00805f5c442b',
  videoMedia: 'c0ef19bc4d5bcf11a8fd00805f5c442b',
} as const;

export const PADDING_GUID: Uint8Array = Buffer.from(GUID.padding, 'hex');

/** Reads a GUID as it lies in the file. */
export function guidAt(view: ByteView, at: number): string {
  return Buffer.from(view.slice(at, at + 16).bytes).toString('hex');
}

/** The objects that follow each other in `[from, to)`, up to the first bytes that are no object. */
export function objectsIn(view: ByteView, from: number, to: number): AsfObject[] {
  const objects: AsfObject[] = [];
  for (let at = from; at + OBJECT_HEADER <= to;) {
    const end = at + view.u64le(at + 16);
    if (end < at + OBJECT_HEADER || end > to) break;
    if (objects.length >= MAX_OBJECTS) throw new UnreadableFileError('The header holds too many objects.');
    objects.push({ guid: guidAt(view, at), start: at, body: at + OBJECT_HEADER, end });
    at = end;
  }
  return objects;
}

/** Turns an object into an empty Padding Object of the same size. */
export function neutralise(view: ByteView, { start, body, end }: AsfObject): void {
  view.bytes.set(PADDING_GUID, start);
  view.bytes.fill(0, body, end);
}
