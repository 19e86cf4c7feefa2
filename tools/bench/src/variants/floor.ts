import sharp from 'sharp';

/**
 * The work that no processor can avoid: decodes all of a picture (ADR 75) and resizes it to the largest variant, as raw
 * pixels, with the worker's own settings. Answers each path that it receives with the time in milliseconds.
 */
const LARGEST_EDGE = 1920;

sharp.cache(false);
sharp.concurrency(1);

process.on('message', ({ source }: { source: string }) => {
  const began = performance.now();
  const resized = sharp(source, { autoOrient: true, failOn: 'error', sequentialRead: true })
    .pipelineColourspace('srgb')
    .resize(LARGEST_EDGE, LARGEST_EDGE, { fit: 'inside' });
  void resized
    .raw()
    .toBuffer()
    .then(() => process.send?.({ type: 'done', took: performance.now() - began }));
});
process.on('disconnect', () => process.removeAllListeners('message'));
process.send?.({ type: 'ready' });
