/**
 * The pause of sweeps that `WaitingWorkSweep` wakes. It is the bound for work that its look would overlook, and it renews
 * what the sweeps measure.
 */
export const WOKEN_REST_SECONDS = 30;
