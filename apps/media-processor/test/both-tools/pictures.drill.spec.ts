import { describeWithBundledTools } from './describe-with-bundled-tools';

describeWithBundledTools(() => {
  jest.requireActual('../../src/images/heic.spec');
  jest.requireActual('../../src/images/animations.spec');
  jest.requireActual('../../src/images/animation-loop.spec');
});
