import sharp from 'sharp';

/** A JPEG in CMYK of these inks (four bytes a pixel), without a profile. */
export async function inkJpeg(width: number, height: number, inks: Buffer): Promise<Buffer> {
  const canvas = sharp({ create: { width, height, channels: 3, background: '#808080' } });
  const tiff = await canvas.toColourspace('cmyk').tiff({ compression: 'none' }).toBuffer();
  // libvips writes the pixels behind the header of 8 bytes.
  tiff.set(inks, 8);
  const stored = sharp(tiff).pipelineColourspace('cmyk').toColourspace('cmyk');
  return stored.jpeg({ quality: 100, chromaSubsampling: '4:4:4' }).toBuffer();
}

/** A JPEG with a colour profile in chunks behind its start. */
export function withJpegProfile(jpeg: Buffer, profile: Buffer): Buffer {
  const size = 65_000;
  const count = Math.ceil(profile.length / size);
  const chunks = Array.from({ length: count }, (_, at) => {
    const part = profile.subarray(at * size, (at + 1) * size);
    const head = Buffer.from('\xff\xe2\0\0ICC_PROFILE\0', 'latin1');
    head.writeUInt16BE(part.length + 16, 2);
    return Buffer.concat([head, Buffer.of(at + 1, count), part]);
  });
  return Buffer.concat([jpeg.subarray(0, 2), ...chunks, jpeg.subarray(2)]);
}
