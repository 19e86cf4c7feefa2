/**
 * The pause of sweeps that `WaitingWorkSweep` wakes. Work that `WaitingWorkSweep` doesn't find waits no longer than this
 * pause, after which the sweeps also renew their metrics.
 */
export const WOKEN_REST_SECONDS = 30;
