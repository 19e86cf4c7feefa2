/** How a gain map brightens a picture, in stops: the logarithms of the factors for its values 0 and 255. */
export interface Stops {
  readonly min: number;
  readonly max: number;
}

/** A JPEG followed by another as its gain map, with the index and the XMP by which screens with HDR find and apply it. */
export function withGainMap(picture: Buffer, map: Buffer, { min, max }: Stops): Buffer {
  const numbers = `hdrgm:GainMapMin="${min}" hdrgm:GainMapMax="${max}" hdrgm:HDRCapacityMax="${Math.max(0.1, max)}"`;
  const xmp = segment(
    0xe1,
    Buffer.from(
      'http://ns.adobe.com/xap/1.0/\0<rdf:Description ' +
        `xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" hdrgm:Version="1.0" ${numbers}/>`,
      'latin1',
    ),
  );
  const second = Buffer.concat([map.subarray(0, 2), xmp, map.subarray(2)]);
  const index = Buffer.alloc(62);
  index.write('MPF\0II*\0\x08\0\0\0\x01\0', 'latin1');
  [0xb002, 7].forEach((value, n) => index.writeUInt16LE(value, 14 + n * 2));
  [32, 26].forEach((value, n) => index.writeUInt32LE(value, 18 + n * 4));
  const start = segment(0xe2, index);
  const length = picture.length + start.length;
  // The second picture starts after the first; offsets count from the header of the index, at byte 10 of the file.
  [length, 0, 0, 0, second.length, length - 10].forEach((value, n) => start.writeUInt32LE(value, 38 + n * 4));
  return Buffer.concat([picture.subarray(0, 2), start, picture.subarray(2), second]);
}

function segment(marker: number, body: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([head, body]);
}
