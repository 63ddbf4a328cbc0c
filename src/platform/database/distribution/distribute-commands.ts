import type { Command } from '../../command.ts'
import { distribute } from './distribute.ts'
import { type DistributedPart, planDistribution } from './plan-distribution.ts'

/**
 * Returns the address under which this command connects, so that its connections do not count as those of an instance.
 */
export function distributionUrl(databaseUrl: string): string {
  const url = new URL(databaseUrl)
  url.searchParams.set('application_name', 'trackpress-distribute')
  return url.href
}

/** Admin commands that spread the tables of an installation over a Citus cluster. */
export function distributeCommands(parts: readonly DistributedPart[], report: (line: string) => void): Command[] {
  return [
    {
      usage: 'distribute --plan',
      doc: 'Shows how the tables would be spread over a Citus cluster, and what is missing for it.',
      isReadOnly: true,
      run: () => planDistribution(parts),
    },
    {
      usage: 'distribute --run',
      doc: 'Spreads the tables over a Citus cluster. Can be repeated.',
      run: () => distribute(parts, report),
    },
  ]
}
