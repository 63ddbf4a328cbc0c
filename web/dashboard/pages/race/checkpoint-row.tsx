import { ActionIcon, Group, NativeSelect, NumberInput, TextInput } from '@mantine/core'
import { X } from 'lucide-react'
import type { CSSProperties } from 'react'
import { useTranslation } from 'react-i18next'
import type { Checkpoint, CourseLine } from '../../api/races.ts'
import { useFormat } from '../../i18n/format.ts'
import {
  type CheckpointDraft,
  type CheckpointShape,
  movedTo,
  shapedAs,
  sizeOf,
} from '../../tracks/course/checkpoint-drafts.ts'
import { KIND_COLOURS } from '../../tracks/course/course-layers.ts'

type CheckpointRowProps = {
  draft: CheckpointDraft
  line: CourseLine
  kinds: readonly Checkpoint['kind'][]
  isSelected: boolean
  onSelect(): void
  onChange(edit: (draft: CheckpointDraft) => CheckpointDraft): void
  onRemove(): void
}

/** The fields of a checkpoint, which do by keyboard all that the map does by pointer. */
export function CheckpointRow({ draft, line, kinds, isSelected, onSelect, onChange, onRemove }: CheckpointRowProps) {
  const { t } = useTranslation()
  const { units } = useFormat()
  const { name, kind, distanceM, shape } = draft
  const offered = kinds.includes(kind) ? kinds : [kind, ...kinds]
  return (
    <li
      className="checkpoint-row"
      data-selected={isSelected || undefined}
      style={{ '--kind-colour': KIND_COLOURS[kind] } as CSSProperties}
      onFocus={onSelect}
    >
      <Group gap="xs" wrap="nowrap" align="flex-end" mb={6}>
        <TextInput
          flex={1}
          size="xs"
          label={t('field.name')}
          maxLength={100}
          value={name}
          error={name.trim() === '' && t('field.nameMissing')}
          onChange={({ currentTarget: { value } }) => onChange((before) => ({ ...before, name: value }))}
        />
        <ActionIcon variant="subtle" color="gray" aria-label={t('race.removeCheckpoint', { name })} onClick={onRemove}>
          <X size={16} aria-hidden />
        </ActionIcon>
      </Group>
      <div className="checkpoint-fields">
        <NumberInput
          size="xs"
          label={t('race.along', { unit: units.far })}
          min={0}
          max={line.distance_m.at(-1)! / units.metersPerFar}
          step={0.1}
          decimalScale={3}
          value={Math.round((distanceM / units.metersPerFar) * 1000) / 1000}
          onChange={(value) => {
            if (typeof value === 'number') onChange((before) => movedTo(line, before, value * units.metersPerFar))
          }}
        />
        <NativeSelect
          size="xs"
          label={t('race.kind')}
          value={kind}
          onChange={({ currentTarget: { value } }) =>
            onChange((before) => ({ ...before, kind: value as Checkpoint['kind'] }))
          }
          data={offered.map((one) => ({ value: one, label: t(`race.kind.${one}`) }))}
        />
        <NativeSelect
          size="xs"
          label={t('race.shape')}
          value={shape.type}
          onChange={({ currentTarget: { value } }) =>
            onChange((before) => shapedAs(line, before, value as CheckpointShape['type']))
          }
          data={(['line', 'circle'] as const).map((type) => ({ value: type, label: t(`race.shape.${type}`) }))}
        />
        <NumberInput
          size="xs"
          label={t(shape.type === 'line' ? 'race.width' : 'race.radius')}
          min={5}
          max={2000}
          allowDecimal={false}
          value={sizeOf(shape)}
          onChange={(value) => {
            if (typeof value === 'number' && value >= 5 && value !== sizeOf(shape)) {
              onChange((before) => shapedAs(line, before, before.shape.type, value))
            }
          }}
        />
      </div>
    </li>
  )
}
