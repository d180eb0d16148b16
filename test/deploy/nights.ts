/**
 * Nights for promtool: for every alert one in which it fires, alone unless the night says otherwise, and one just short of it,
 * in which nothing fires. A series is written in promtool's notation, a sample a minute: `0+3x60` rises by three a minute.
 */
import { of, once, type Pair, type Series, value } from './night-series.ts';
import { PROCESS_PAIRS } from './process-nights.ts';
import { REDIS_PAIRS } from './redis-nights.ts';

export interface Night {
  readonly alert: string;
  readonly is: string;
  readonly series: Readonly<Record<string, string>>;
  /** All that fire at the end; empty in a quiet night. */
  readonly fires: readonly string[];
  /** Minutes from the first sample to the look at the alerts. */
  readonly minutes: number;
  /** Minutes between two samples, and between two looks of Prometheus at its rules. */
  readonly stepMinutes: number;
}

/** In the nights that last a week, whose looks at every minute would take promtool a minute of its own. */
const COARSE_MINUTES = 15;
const WEEK = 7 * 24 * 60;
const HOUR = 60;
const BASKET = '/v1/pos/basket';

/** Calls of the basket route, so many a minute. */
const calls = (status: number, code: string, perMinute: number): Series => ({
  [of('loyalty_requests_total', `route="${BASKET}",status="${status}",code="${code}"`)]: `0+${perMinute}x600`,
});
const good = (perMinute: number): Series => calls(200, 'none', perMinute);
const event = (name: string, perHour: number): Series => ({
  [of('loyalty_events_total', `event="${name}"`)]: `0+${perHour / HOUR}x600`,
});
/** Priced baskets an hour, and for how many of them another choice might save more than 1 %. */
const gaps = (all: number, large: number): Series => ({
  [of('loyalty_choice_gap_count', '')]: `0+${all / HOUR}x600`,
  [of('loyalty_choice_gap_bucket', 'le="0.01"')]: `0+${(all - large) / HOUR}x600`,
});
/** Baskets a minute, and how many of them take longer than 250 ms. */
function durations(all: number, slow: number): Series {
  const labels = `route="${BASKET}",phase="total"`;
  return {
    [of('loyalty_request_duration_seconds_count', labels)]: `0+${all}x600`,
    [of('loyalty_request_duration_seconds_bucket', `${labels},le="0.25"`)]: `0+${all - slow}x600`,
  };
}

/** A percentile of the last minute over a budget of 0.2 s, at so many baskets a minute, none of them over 250 ms. */
const percentile = (name: string, seconds: number, perMinute: number): Series => ({
  ...value('loyalty_latency_last_minute_seconds', seconds, `route="${BASKET}",phase="total",percentile="${name}"`),
  ...value('loyalty_latency_budget_seconds', 0.2, `percentile="${name}"`),
  ...durations(perMinute, 0),
});

/** What is consumed of a limit of a thousand, in promtool's notation. */
function limit(period: string, consumed: string): Series {
  const labels = `programme="club",limit="first",of="programme",period="${period}"`;
  return { [of('loyalty_limit_consumed', labels)]: consumed, ...value('loyalty_limit_quantity', 1000, labels) };
}

const clock = (off: number): Series => {
  const labels = 'direction="behind"';
  return {
    [of('loyalty_requested_at_offset_seconds_count', labels)]: `0x10 ${10 + off}x600`,
    [of('loyalty_requested_at_offset_seconds_bucket', `${labels},le="300"`)]: '0x10 10x600',
  };
};

/** Baskets a minute in the first two hours of a week, and then silence: written in coarse samples. */
const untilSilence = (perMinute: number): Series => ({
  [of('loyalty_requests_total', `route="${BASKET}",status="200",code="none"`)]:
    `0+${perMinute * COARSE_MINUTES}x8 ${perMinute * COARSE_MINUTES * 8}x${WEEK / COARSE_MINUTES}`,
});

const DAY_SECONDS = 86_400;
const certificate = (days: number): Series =>
  value('loyalty_tls_certificate_end_timestamp_seconds', days * DAY_SECONDS);

/** The oldest event that a group has not read, of those that are kept for a week. */
const unread = (days: number): Series => ({
  ...value('loyalty_events_unread_age_seconds', days * DAY_SECONDS, 'group="warehouse"'),
  ...value('loyalty_events_retention_seconds', 7 * DAY_SECONDS),
});

/** When the process started, in each minute. */
const starts = (seconds: string): Series => ({ [of('process_start_time_seconds')]: seconds });

const PAIRS: Readonly<Record<string, Pair>> = {
  LoyaltyTargetDown: {
    fires: ['the target does not answer', value('up', 0)],
    silent: ['it answers', value('up', 1)],
  },
  LoyaltyRestartLoop: {
    fires: ['three restarts in a quarter of an hour', starts('1000x7 1300x3 1500x3 1700x600')],
    silent: ['a deployment and its way back', starts('1000x10 1600x3 1840x600')],
  },
  LoyaltyEventsUnread: {
    fires: ['the warehouse has been away for four days of seven', unread(4)],
    silent: ['it has been away for three', unread(3)],
  },
  LoyaltyTargetAbsent: {
    fires: ['nobody has named a target', { [of('up')]: '_x600' }],
    silent: ['a target has just come', { [of('up')]: '_x3 1x600' }],
  },
  LoyaltyNoTraffic: {
    fires: ['this hour of last week had 600 baskets, and now there are none', untilSilence(10)],
    silent: ['this hour of last week had 60', untilSilence(1)],
    isWeek: true,
  },
  LoyaltyUnavailable: {
    fires: ['all of four calls a minute are 503', calls(503, 'unavailable', 4)],
    silent: ['four of a hundred', { ...good(96), ...calls(503, 'unavailable', 4) }],
  },
  LoyaltyInternalErrors: {
    fires: ['one', { ...good(100), ...once('loyalty_requests_total', 'route="/v1/pos/basket",code="internal_error"') }],
    silent: ['none', good(100)],
  },
  LoyaltyP99OverBudget: {
    fires: ['p99 is over its budget', percentile('p99', 0.21, 200)],
    silent: ['two slow of eight', percentile('p99', 0.3, 8)],
  },
  LoyaltyP95OverBudget: {
    fires: ['p95 is over its budget', percentile('p95', 0.21, 200)],
    silent: ['two slow of eight', percentile('p95', 0.3, 8)],
  },
  LoyaltyBudgetBurnFast: {
    fires: ['a fifth is slow', durations(100, 20)],
    silent: ['two slow of eight, once', { ...durations(0, 0), ...onceSlow(8, 2) }],
    with: ['LoyaltyBudgetBurnSlow'],
  },
  LoyaltyBudgetBurnSlow: {
    fires: ['a tenth is slow', durations(100, 10)],
    silent: ['one in a hundred', durations(100, 1)],
  },
  LoyaltyShedding: {
    fires: ['a tenth is shed', { ...good(90), [of('loyalty_requests_shed_total')]: '0+10x600' }],
    silent: ['one of twenty is shed', { ...good(4), ...once('loyalty_requests_shed_total') }],
  },
  LoyaltyEventLoopLag: {
    fires: ['the loop is held', value('nodejs_eventloop_lag_p99_seconds', 0.2)],
    silent: ['it was held once', { [of('nodejs_eventloop_lag_p99_seconds')]: '0.01x18 0.2 0.01x600' }],
    more: [
      ['it is held for long now and then', value('nodejs_eventloop_lag_max_seconds', 1), ['LoyaltyEventLoopLag']],
      ['it was held for long once', { [of('nodejs_eventloop_lag_max_seconds')]: '0.02x18 1 1 0.02x600' }, []],
    ],
  },
  LoyaltyClockSkew: {
    fires: ['all stamps are stale', calls(401, 'stale_timestamp', 2)],
    silent: ['one junk call on a quiet night', once('loyalty_requests_total', junk(401, 'stale_timestamp'))],
  },
  LoyaltySignaturesRefused: {
    fires: ['all signatures are wrong', calls(401, 'invalid_signature', 2)],
    silent: ['one junk call on a quiet night', once('loyalty_requests_total', junk(401, 'invalid_signature'))],
  },
  LoyaltyBasketsRefused: {
    fires: [
      'a tenth is refused',
      { ...good(90), ...calls(400, 'invalid_request', 5), ...calls(422, 'unknown_currency', 5) },
    ],
    silent: ['one junk call on a quiet night', once('loyalty_requests_total', junk(400, 'invalid_request'))],
  },
  LoyaltyUnknownMembers: {
    fires: ['most members are unknown', { ...event('answer_applied', 200), ...event('answer_member_not_found', 400) }],
    silent: ['a third is', { ...event('answer_applied', 400), ...event('answer_member_not_found', 200) }],
  },
  LoyaltyChoiceGap: {
    fires: ['a tenth has a large gap', gaps(600, 60)],
    silent: ['one of twenty-five', gaps(1_500, 60)],
  },
  LoyaltyRateLimited: {
    fires: ['a tenth is refused', { ...good(90), ...calls(429, 'rate_limited', 10) }],
    silent: ['one of twenty', { ...good(4), ...once('loyalty_requests_total', junk(429, 'rate_limited')) }],
  },
  LoyaltyConflicts: {
    fires: ['one', { ...good(100), ...once('loyalty_requests_total', junk(409, 'idempotency_conflict')) }],
    silent: ['none', good(100)],
  },
  LoyaltyTillClock: {
    fires: ['one basket by another day', clock(1)],
    silent: ['all within five minutes', clock(0)],
  },
  LoyaltyOutsideWindow: {
    fires: ['one', once('loyalty_events_total', 'event="clock_off"')],
    silent: ['none', event('clock_off', 0)],
  },
  LoyaltyOverRedeemed: {
    fires: ['one unit', once('loyalty_events_total', 'event="over_redeemed_units"')],
    silent: ['none', event('over_redeemed_units', 0)],
  },
  LoyaltyLateSales: {
    fires: ['a tenth is late', { ...event('sale_recorded', 600), ...event('sale_late', 60) }],
    silent: ['two of eight', { ...event('sale_recorded', 8), ...event('sale_late', 2) }],
  },
  LoyaltyLimitNearlyUsed: {
    fires: ['nine tenths are used', limit('lifetime', '0x5 900x600')],
    silent: ['a campaign that has ended lies there', limit('lifetime', '950x600')],
    more: [
      [
        'so are those of the new week, after more of the old',
        limit('week', '950x5 0x5 920x600'),
        ['LoyaltyLimitNearlyUsed'],
      ],
    ],
  },
  LoyaltyReloadRefused: {
    fires: ['a configuration was refused', value('loyalty_last_reload_successful', 0)],
    silent: ['none was', value('loyalty_last_reload_successful', 1)],
  },
  LoyaltyThreadsLost: {
    fires: ['one', once('loyalty_pool_threads_lost_total', 'cause="stuck"')],
    silent: ['none', value('loyalty_pool_threads_lost_total', 0, 'cause="stuck"')],
  },
  LoyaltyDiskFull: {
    fires: ['a twentieth is free', disk('LOG_DIR', 5)],
    silent: ['a fifth is free', { ...disk('DATA_DIR', 20), ...disk('LOG_DIR', 20) }],
  },
  LoyaltyLogLinesLost: {
    fires: ['one', once('loyalty_log_lines_lost_total', 'cause="removed"')],
    silent: ['none', value('loyalty_log_lines_lost_total', 0, 'cause="blocked"')],
  },
  LoyaltyFileDescriptors: {
    fires: ['nine of ten are open', descriptors(90)],
    silent: ['three quarters are', descriptors(75)],
  },
  LoyaltyCertificateEnds: {
    fires: ['twenty days', certificate(20)],
    silent: ['thirty days', certificate(30)],
  },
  LoyaltyCertificateEndsSoon: {
    fires: ['two days', certificate(2)],
    silent: ['thirty days', certificate(30)],
    with: ['LoyaltyCertificateEnds'],
  },
  ...PROCESS_PAIRS,
  ...REDIS_PAIRS,
};

function onceSlow(all: number, slow: number): Series {
  const labels = `route="${BASKET}",phase="total"`;
  return {
    ...once('loyalty_request_duration_seconds_count', labels, all),
    ...once('loyalty_request_duration_seconds_bucket', `${labels},le="0.25"`, all - slow),
  };
}

function junk(status: number, code: string): string {
  return `route="${BASKET}",status="${status}",code="${code}"`;
}

function descriptors(open: number): Series {
  return { ...value('loyalty_file_descriptors_open', open), ...value('loyalty_file_descriptors_limit', 100) };
}

function disk(folder: string, freePercent: number): Series {
  const labels = `folder="${folder}"`;
  return { ...value('loyalty_disk_free_bytes', freePercent, labels), ...value('loyalty_disk_size_bytes', 100, labels) };
}

export const NIGHTS: readonly Night[] = Object.entries(PAIRS).flatMap(([alert, pair]) => {
  const [minutes, stepMinutes] = pair.isWeek ? [WEEK + 75, COARSE_MINUTES] : [20, 1];
  const nights = [
    [...pair.fires, [alert, ...(pair.with ?? [])]] as const,
    [...pair.silent, []] as const,
    ...(pair.more ?? []),
  ];
  return nights.map(([is, series, fires]) => ({ alert, minutes, stepMinutes, is, series, fires }));
});

/** An alert without an instance or a job is the same for every environment, so that one of staging hides one of production. */
const NAMELESS = 'ALERTS{alertstate="firing",instance="",job="",alertname!="LoyaltyNoTraffic"}';

/**
 * Nights of one step as a file for `promtool test rules`; a night without a target of its own has one that answers.
 */
export function toRuleTest(nights: readonly Night[], ruleFile: string, runbook: string): string {
  const tests = nights.map(({ alert, is, series, fires, minutes, stepMinutes }) => {
    const [up, answers] = [of('up'), `1x${minutes}`];
    const expected = fires.map((name) => ({ labels: `{alertname="${name}"}`, value: 1 }));
    return {
      name: `${alert}: ${is}`,
      interval: `${stepMinutes}m`,
      external_labels: { loyalty_runbook: runbook },
      input_series: Object.entries({ [up]: answers, ...series }).map(([name, values]) => ({ series: name, values })),
      promql_expr_test: [
        {
          expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
          eval_time: `${minutes}m`,
          exp_samples: expected,
        },
        { expr: NAMELESS, eval_time: `${minutes}m`, exp_samples: [] },
      ],
    };
  });
  // JSON is YAML.
  return JSON.stringify({ rule_files: [ruleFile], evaluation_interval: `${nights[0]?.stepMinutes}m`, tests }, null, 1);
}
