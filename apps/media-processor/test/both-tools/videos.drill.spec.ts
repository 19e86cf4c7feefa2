import { describeWithBundledTools } from './describe-with-bundled-tools';

describeWithBundledTools(() => {
  jest.requireActual('../../src/video/video-processor.spec');
  jest.requireActual('../../src/video/phone-videos.drill.spec');
  jest.requireActual('../heavy-videos.drill.spec');
});
