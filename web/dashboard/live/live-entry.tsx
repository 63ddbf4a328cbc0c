import { Group, Text, UnstyledButton } from '@mantine/core'
import { BatteryWarning } from 'lucide-react'
import { type CSSProperties, memo } from 'react'
import { useTranslation } from 'react-i18next'
import type { RunnerStatus } from './runners/runner-status.ts'
import { StatusBadge } from './status-badge.tsx'

type LiveEntryProps = {
  id: string
  /** Its name in the list. */
  label: string
  status: RunnerStatus
  /** Its figures and its owner in one line. */
  line: string
  /** Charge of a battery that is low, as a text. */
  lowBattery: string | undefined
  /** The runner's colour on the map. */
  colour: string
  isSelected: boolean
  onSelect(id: string): void
}

/**
 * A track of a live map as an entry of the list. It is as high for every track, so that news move nothing. It is drawn
 * anew only if its texts change: most updates of a busy event concern others.
 */
export const LiveEntry = memo(function LiveEntry(props: LiveEntryProps) {
  const { id, label, status, line, lowBattery, colour, isSelected, onSelect } = props
  const { t } = useTranslation()
  return (
    <UnstyledButton
      className="live-entry"
      data-selected={isSelected || undefined}
      data-status={status}
      aria-pressed={isSelected}
      onClick={() => onSelect(id)}
    >
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Group gap={8} wrap="nowrap" miw={0}>
          <span
            className="live-swatch"
            data-status={status}
            style={{ '--runner': colour } as CSSProperties}
            aria-hidden
          />
          <Text fw={600} size="sm" truncate>
            {label}
          </Text>
        </Group>
        <StatusBadge status={status} />
      </Group>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Text size="xs" c="dimmed" className="figures" truncate>
          {line}
        </Text>
        {lowBattery !== undefined && (
          <Group gap={2} wrap="nowrap" className="live-battery-low">
            <BatteryWarning size={16} aria-hidden />
            <Text size="xs" fw={600} className="figures" aria-label={t('live.batteryLow', { charge: lowBattery })}>
              {lowBattery}
            </Text>
          </Group>
        )}
      </Group>
    </UnstyledButton>
  )
})
