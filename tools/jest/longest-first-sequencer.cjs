const { relative } = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

/**
 * About how many seconds the longest test files take on two cores. On a fresh clone Jest knows no durations; a long
 * file that starts last would keep one worker busy while the other has nothing to do.
 */
const SECONDS = {
  'apps/website/test/journeys/every-page.spec.ts': 110,
  'tools/test/supervisor.spec.ts': 110,
  'apps/api-gateway/test/authorisation.spec.ts': 95,
  'tools/test/docker/images.spec.ts': 90,
  'apps/media-processor/src/video/phone-videos.spec.ts': 90,
  'libs/formats/test/cost.spec.ts': 70,
  'apps/media-processor/test/heavy-videos.spec.ts': 60,
  'tools/test/whole-slice.spec.ts': 50,
  'apps/website/test/moderation.spec.ts': 50,
  'apps/website/test/upload-page.spec.ts': 50,
  'tools/test/observability/observability.spec.ts': 50,
  'tools/test/seed-demo.spec.ts': 45,
  'apps/api-gateway/test/fuzz.spec.ts': 45,
  'apps/website/test/developers.spec.ts': 40,
  'apps/website/test/feed-in-browser.spec.ts': 40,
  'apps/website/test/journeys/reading.spec.ts': 40,
  'libs/domain/src/erasure/account-erasure.spec.ts': 40,
};

/** Estimates for the files that the table does not name: suites that start processes take longest. */
const ESTIMATES = [
  [/^apps\/website\/test\//, 25],
  [/^(apps|libs)\/[^/]+\/test\/|^tools\/test\//, 15],
];

/** Starts the longest test files first, so that all workers finish at about the same time. */
module.exports = class LongestFirstSequencer extends Sequencer {
  sort(tests) {
    const seconds = ({ path, context }) => {
      const file = relative(context.config.rootDir, path);
      return SECONDS[file] ?? ESTIMATES.find(([pattern]) => pattern.test(file))?.[1] ?? 5;
    };
    return [...tests].sort((a, b) => seconds(b) - seconds(a) || a.path.localeCompare(b.path));
  }
};
