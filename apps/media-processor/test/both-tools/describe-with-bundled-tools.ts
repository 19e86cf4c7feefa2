/**
 * Runs the suites that `load` requires again, with the bundled ffmpeg. Elsewhere they run with the system's ffmpeg, where
 * there is one.
 */
export function describeWithBundledTools(load: () => void): void {
  describe('with the bundled ffmpeg', () => {
    const before = process.env['VIDEO_TOOLS'];
    beforeAll(() => {
      process.env['VIDEO_TOOLS'] = 'bundled';
    });
    afterAll(() => {
      if (before === undefined) delete process.env['VIDEO_TOOLS'];
      else process.env['VIDEO_TOOLS'] = before;
    });
    load();
  });
}
