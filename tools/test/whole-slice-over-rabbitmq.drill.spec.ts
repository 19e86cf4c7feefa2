import { describeWithRabbitMq, startRabbitMq } from '@vitrine/testing';
import { wholeSlice } from './whole-slice';

describeWithRabbitMq('the whole slice, over RabbitMQ', () => {
  let broker: Awaited<ReturnType<typeof startRabbitMq>> | undefined;
  afterAll(() => broker?.remove());
  wholeSlice(async () => {
    broker = await startRabbitMq();
    return broker.url;
  });
});
