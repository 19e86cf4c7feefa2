const { relative } = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

/** The longest kinds of test files, with about how many seconds one takes on two cores. */
const SECONDS = [
  [/(both-tools\/|phone-)videos\.drill\.spec\.ts$/, 600],
  [/(chaos|benchmarks|every-page)\.drill\.spec\.ts$/, 300],
  [/\.drill\.spec\.tsx?$/, 60],
  [/authorisation|erasure|feeds\.service|deliverer|-transport|video-processor/, 40],
  [/^apps\/website\/test\//, 20],
  [/^(apps|libs)\/[^/]+\/test\/|^tools\/test\//, 15],
];

/**
 * Starts the longest test files first, so that all workers finish at about the same time. On a fresh clone Jest knows no
 * durations; a long file that starts last keeps one worker busy for up to 60 s while the others have nothing to do.
 */
module.exports = class LongestFirstSequencer extends Sequencer {
  sort(tests) {
    const seconds = ({ path, context }) => {
      const file = relative(context.config.rootDir, path);
      return SECONDS.find(([pattern]) => pattern.test(file))?.[1] ?? 5;
    };
    return [...tests].sort((a, b) => seconds(b) - seconds(a) || a.path.localeCompare(b.path));
  }
};
