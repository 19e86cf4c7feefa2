// The classes fit-4 to fit-20: the maximum ratio of height to width, in tenths. Higher pictures are folded.
export default Array.from({ length: 17 }, (_, at) => `.fit-${at + 4}{--shape:${(at + 4) / 10}}`).join('\n');
