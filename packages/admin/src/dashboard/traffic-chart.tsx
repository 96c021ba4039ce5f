// The requests in the last hour, with one bar per minute. The lower part of each bar shows those served from the cache.

import { useSuspenseQuery } from '@tanstack/react-query';
import { Card } from '../elements/card.tsx';
import { DASHBOARD_TEXTS } from '../texts/dashboard-texts.ts';
import { trafficQuery } from './dashboard-queries.ts';
import classes from './traffic-chart.module.css';

const BAR = 10;
const GAP = 2;
const HEIGHT = 100;

export function TrafficChart() {
  const { data } = useSuspenseQuery(trafficQuery);
  const minutes = data.data;
  const answers = sum(minutes.map((minute) => minute.answers));
  const hits = sum(minutes.map((minute) => minute.hits));
  const busiest = Math.max(1, ...minutes.map((minute) => minute.answers));
  const scale = HEIGHT / busiest;
  return (
    <Card title={DASHBOARD_TEXTS.traffic} intro={DASHBOARD_TEXTS.trafficIntro}>
      <dl className={classes.figures}>
        <Figure label={DASHBOARD_TEXTS.reads} value={answers.toLocaleString('en')} kind="answers" />
        <Figure label={DASHBOARD_TEXTS.hits} value={hits.toLocaleString('en')} kind="hits" />
        <Figure
          label={DASHBOARD_TEXTS.share}
          value={answers === 0 ? DASHBOARD_TEXTS.noShare : `${Math.floor((100 * hits) / answers)} %`}
        />
      </dl>
      <div>
        <svg
          className={classes.chart}
          viewBox={`0 0 ${minutes.length * BAR - GAP} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={DASHBOARD_TEXTS.chart(answers, hits)}
        >
          {minutes.map((minute, index) => (
            <g key={minute.at}>
              <rect className={classes.base} x={index * BAR} y={HEIGHT - 1} width={BAR - GAP} height={1} />
              <Bar className={classes.answers} index={index} height={minute.answers * scale} />
              <Bar className={classes.hits} index={index} height={minute.hits * scale} />
            </g>
          ))}
        </svg>
        <div className={classes.axis} aria-hidden>
          <span>{DASHBOARD_TEXTS.hourAgo}</span>
          {answers > 0 && <span>{DASHBOARD_TEXTS.busiest(busiest)}</span>}
          <span>{DASHBOARD_TEXTS.now}</span>
        </div>
      </div>
    </Card>
  );
}

interface BarProps {
  readonly className: string | undefined;
  readonly index: number;
  readonly height: number;
}

function Bar({ className, index, height }: BarProps) {
  if (height === 0) return null;
  return <rect className={className} x={index * BAR} y={HEIGHT - height} width={BAR - GAP} height={height} />;
}

interface FigureProps {
  readonly label: string;
  readonly value: string;
  readonly kind?: 'answers' | 'hits';
}

function Figure({ label, value, kind }: FigureProps) {
  return (
    <div>
      <dt className={classes.label}>
        {kind !== undefined && <span className={classes.key} data-kind={kind} aria-hidden />}
        {label}
      </dt>
      <dd className={classes.value}>{value}</dd>
    </div>
  );
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
