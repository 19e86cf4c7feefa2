const { relative } = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

/**
 * About how many seconds the longest test files take on two cores. On a fresh clone Jest knows no durations; a long
 * file that starts last would keep one worker busy while the others have nothing to do.
 */
const SECONDS = {
  'apps/website/test/journeys/every-page.spec.ts': 100,
  'tools/test/supervisor.spec.ts': 60,
  'tools/test/docker/images.spec.ts': 60,
  'apps/website/test/moderation.spec.ts': 55,
  'apps/api-gateway/test/authorisation.spec.ts': 50,
  'apps/api-gateway/test/fuzz.spec.ts': 50,
  'apps/media-processor/src/video/phone-videos.spec.ts': 50,
  'tools/test/observability/observability.spec.ts': 50,
  'apps/media-processor/test/heavy-videos.spec.ts': 45,
  'libs/storage/src/s3-storage.spec.ts': 40,
  'apps/website/test/journeys/people.spec.ts': 40,
  'tools/test/seed-demo.spec.ts': 40,
  'libs/messaging/src/rabbitmq/rabbitmq-transport.spec.ts': 35,
  'tools/test/clients-doc.spec.ts': 35,
  'apps/media-processor/src/video/video-processor.spec.ts': 35,
  'libs/outbox/src/postgres-bus/postgres-transport.spec.ts': 30,
  'apps/api-gateway/test/overload.spec.ts': 30,
  'tools/test/whole-slice.spec.ts': 30,
  'libs/domain/src/erasure/account-erasure.spec.ts': 25,
  'libs/domain/src/feeds/feeds.service.spec.ts': 25,
  'libs/domain/src/webhooks/webhook-deliverer.spec.ts': 25,
  'apps/media-processor/src/perception/cloaking.spec.ts': 20,
  'libs/outbox/src/messaging.module.spec.ts': 20,
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
