/** The elements of a file, down to the children of its segment (RFC 9559, section 5). */
export const ID = {
  ebml: 0x1a45dfa3,
  segment: 0x18538067,
  seekHead: 0x114d9b74,
  info: 0x1549a966,
  tracks: 0x1654ae6b,
  cluster: 0x1f43b675,
  cues: 0x1c53bb6b,
  tags: 0x1254c367,
  attachments: 0x1941a469,
  chapters: 0x1043a770,
} as const;

/** An element of unknown size inside a segment ends where one of these begins. */
export const TOP_LEVEL: ReadonlySet<number> = new Set(Object.values(ID));
