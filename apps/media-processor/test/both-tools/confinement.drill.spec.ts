import { describeWithBundledTools } from './describe-with-bundled-tools';

describeWithBundledTools(() => {
  jest.requireActual('../hostile-files.drill.spec');
  jest.requireActual('../isolation.spec');
});
