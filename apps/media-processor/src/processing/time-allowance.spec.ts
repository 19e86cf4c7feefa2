import { TimeAllowance } from './time-allowance';

describe('TimeAllowance', () => {
  it('is used up by work, and earned again up to a twelfth of an hour’s', () => {
    let seconds = 0;
    // Twelve seconds can be saved up, and a second is earned in 25.
    const allowance = new TimeAllowance(144, () => seconds * 1000);
    allowance.spend(11_000);
    expect(allowance.isLeft).toBe(true);
    allowance.spend(2_000);
    seconds = 24;
    expect(allowance.isLeft).toBe(false);
    seconds = 26;
    expect(allowance.isLeft).toBe(true);
    seconds = 86_400;
    expect(allowance.isLeft).toBe(true);
    allowance.spend(12_001);
    expect(allowance.isLeft).toBe(false);
  });

  it('is never left without an hourly amount', () => {
    expect(new TimeAllowance(0).isLeft).toBe(false);
  });
});
