const { once } = require('node:events');

module.exports = async () => {
  const keeper = globalThis.vitrineTestStacks;
  if (keeper) {
    const ended = once(keeper, 'exit');
    keeper.ref();
    keeper.disconnect();
    const [status] = await ended;
    if (status !== 0) process.exitCode = 1;
  }
  await globalThis.vitrineTestPostgres?.stop();
  await globalThis.vitrineTestGuard?.close();
};
