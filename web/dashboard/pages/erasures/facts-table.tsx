import { Table } from '@mantine/core'
import type { ReactNode } from 'react'

/** Facts with their names, such as those of a receipt. */
export function FactsTable({ label, facts }: { label: string; facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <Table aria-label={label} withRowBorders={false} layout="fixed">
      <Table.Tbody>
        {facts.map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th scope="row" fw={400} c="dimmed" w="38%" pl={0}>
              {name}
            </Table.Th>
            <Table.Td className="figures" pr={0} style={{ overflowWrap: 'anywhere' }}>
              {value}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
