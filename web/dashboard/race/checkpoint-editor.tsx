import {
  ActionIcon,
  Button,
  Group,
  NativeSelect,
  NumberInput,
  Paper,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { type CSSProperties, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { raceAnswers } from '../api/query-client.ts'
import { fieldErrors } from '../components/error-message.ts'
import { Failure, FormAlert, notify } from '../components/feedback.tsx'
import { UnsavedChanges } from '../components/forms.tsx'
import { operatorListCheckpointsOptions } from '../generated/@tanstack/react-query.gen.ts'
import { operatorReplaceCheckpoints } from '../generated/sdk.gen.ts'
import type { Checkpoint, CourseLine } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'
import {
  type CheckpointDraft,
  type CheckpointShape,
  draftsOf,
  inOrder,
  middleOfLongest,
  movedTo,
  newDraft,
  shapedAs,
  sizeOf,
  updateOf,
} from './checkpoint-drafts.ts'
import { KIND_COLOURS } from './course-layers.ts'
import { CourseMap } from './course-map.tsx'
import { CourseProfile } from './course-profile.tsx'
import './course.css'

type CheckpointEditorProps = { eventId: string; line: CourseLine; stored: readonly Checkpoint[] }

/** The checkpoints of a course: on the map, and as fields beside it. */
export function CheckpointEditor({ eventId, line, stored }: CheckpointEditorProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [drafts, setDrafts] = useState(() => draftsOf(stored))
  const [selectedKey, setSelectedKey] = useState<string>()
  const [base, setBase] = useState(stored)
  const isChanged = !areSame(drafts, draftsOf(base))
  if (stored !== base) {
    // What was stored meanwhile is shown, unless it would undo what is being edited.
    setBase(stored)
    if (!isChanged) setDrafts(draftsOf(stored))
  }
  const ordered = inOrder(drafts)
  const saving = useMutation({
    mutationFn: () => operatorReplaceCheckpoints({ path: { id: eventId }, body: updateOf(drafts) }),
    onSuccess: async (saved) => {
      client.setQueryData(operatorListCheckpointsOptions({ path: { id: eventId } }).queryKey, saved)
      setDrafts(draftsOf(saved.checkpoints))
      notify(t('race.checkpointsSaved'))
      await client.invalidateQueries(raceAnswers(eventId))
    },
  })
  const change = (key: string, edit: (draft: CheckpointDraft) => CheckpointDraft) => {
    saving.reset()
    setDrafts((before) => before.map((draft) => (draft.key === key ? edit(draft) : draft)))
  }
  const add = (distanceM: number) => {
    saving.reset()
    const key = crypto.randomUUID()
    setDrafts((before) => [...before, newDraft(line, distanceM, { key, name: t('race.newCheckpoint') })])
    setSelectedKey(key)
  }
  const shown = useMemo(
    () => drafts.map(({ distanceM, ...draft }) => ({ ...draft, course_distance_m: distanceM })),
    [drafts],
  )
  return (
    <Stack gap="sm">
      <div className="checkpoint-editor">
        <CourseMap
          line={line}
          drafts={drafts}
          selectedKey={selectedKey}
          onSelect={setSelectedKey}
          onMove={(key, distanceM) => change(key, (draft) => movedTo(line, draft, distanceM))}
          onAdd={add}
          height="100%"
        />
        <Paper withBorder p="sm" bg="var(--panel-background)" className="checkpoint-list">
          <Group justify="space-between" mb={4}>
            <Title order={3} size="h4">
              {t('race.checkpoints')}
            </Title>
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<Plus size={14} aria-hidden />}
              onClick={() => add(middleOfLongest(line, drafts))}
            >
              {t('race.addCheckpoint')}
            </Button>
          </Group>
          <Text size="xs" c="dimmed" mb="xs">
            {t('race.checkpointsHelp')}
          </Text>
          <ol aria-label={t('race.checkpoints')}>
            {ordered.map((draft, i) => (
              <CheckpointRow
                key={draft.key}
                draft={draft}
                line={line}
                kinds={kindsAt(i, ordered)}
                isSelected={draft.key === selectedKey}
                onSelect={() => setSelectedKey(draft.key)}
                onChange={(edit) => change(draft.key, edit)}
                onRemove={() => {
                  saving.reset()
                  setDrafts((before) => before.filter(({ key }) => key !== draft.key))
                }}
              />
            ))}
          </ol>
          {saving.isError && <SaveFailure error={saving.error} drafts={ordered} />}
          {isChanged && (
            <Group justify="flex-end" mt="sm">
              <Button variant="default" onClick={() => setDrafts(draftsOf(stored))}>
                {t('race.discard')}
              </Button>
              <Button loading={saving.isPending} onClick={() => saving.mutate()}>
                {t('race.saveCheckpoints')}
              </Button>
            </Group>
          )}
        </Paper>
      </div>
      <CourseProfile line={line} checkpoints={shown} />
      <UnsavedChanges isChanged={() => isChanged} />
    </Stack>
  )
}

function areSame(a: readonly CheckpointDraft[], b: readonly CheckpointDraft[]): boolean {
  return JSON.stringify(updateOf(a)) === JSON.stringify(updateOf(b))
}

/** Returns the kinds that a checkpoint can have: only the first can be the start, and only the last the finish. */
function kindsAt(index: number, { length }: readonly CheckpointDraft[]): Checkpoint['kind'][] {
  return [
    ...(index === 0 ? (['start'] as const) : []),
    'checkpoint',
    ...(index === length - 1 ? (['finish'] as const) : []),
  ]
}

/** Names each checkpoint that the server refused, with the reason. */
function SaveFailure({ error, drafts }: { error: unknown; drafts: readonly CheckpointDraft[] }) {
  const { t } = useTranslation()
  const refused = Object.entries(fieldErrors(error))
  if (refused.length === 0) return <Failure error={error} />
  return (
    <FormAlert>
      {refused.map(([path, message]) => {
        const [, index, field] = path.split('/')
        const key = PROBLEMS[field] ?? 'race.checkpointRefused'
        return <div key={path}>{t(key, { name: drafts[Number(index)]?.name ?? '', reason: message })}</div>
      })}
    </FormAlert>
  )
}

const PROBLEMS: Record<string, 'race.checkpointOff' | 'race.checkpointOrder' | 'race.checkpointUnnamed'> = {
  shape: 'race.checkpointOff',
  course_distance_m: 'race.checkpointOrder',
  name: 'race.checkpointUnnamed',
}

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
function CheckpointRow({ draft, line, kinds, isSelected, onSelect, onChange, onRemove }: CheckpointRowProps) {
  const { t } = useTranslation()
  const { name, kind, distanceM, shape } = draft
  const offered = kinds.includes(kind) ? kinds : [kind, ...kinds]
  const row = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isSelected) row.current?.scrollIntoView({ block: 'nearest' })
  }, [isSelected])
  return (
    <li
      ref={row}
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
        <DistanceField
          line={line}
          meters={distanceM}
          onChange={(meters) => onChange((before) => movedTo(line, before, meters))}
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

type DistanceFieldProps = { line: CourseLine; meters: number; onChange(meters: number): void }

/** The distance along the course, in kilometres or miles. */
function DistanceField({ line, meters, onChange }: DistanceFieldProps) {
  const { t } = useTranslation()
  const { units, number } = useFormat()
  const endM = line.distance_m.at(-1)!
  const along = Math.round((meters / units.metersPerFar) * 1000) / 1000
  return (
    <NumberInput
      size="xs"
      label={t('race.along', { unit: units.far })}
      min={0}
      max={Math.ceil((endM / units.metersPerFar) * 1000) / 1000}
      step={0.1}
      decimalScale={3}
      decimalSeparator={number(0.5).charAt(1)}
      allowedDecimalSeparators={['.', ',']}
      value={along}
      onChange={(value) => {
        // A field that is only left keeps the distance, which has more digits.
        if (typeof value === 'number' && value !== along) onChange(Math.min(endM, value * units.metersPerFar))
      }}
    />
  )
}
