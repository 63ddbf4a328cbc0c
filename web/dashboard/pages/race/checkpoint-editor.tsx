import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryKeys } from '../../api/query-keys.ts'
import { type Checkpoint, type CourseLine, checkpointsQuery, putCheckpoints } from '../../api/races.ts'
import { fieldErrors } from '../../feedback/error-message.ts'
import { Failure } from '../../feedback/failure.tsx'
import { notify } from '../../feedback/notify.ts'
import { FormAlert } from '../../forms/form-alert.tsx'
import { CourseMap } from '../../race/course-map.tsx'
import { CourseProfile } from '../../race/course-profile.tsx'
import {
  type CheckpointDraft,
  draftsOf,
  inOrder,
  middleOfLongest,
  movedTo,
  newDraft,
  updateOf,
} from '../../tracks/course/checkpoint-drafts.ts'
import { CheckpointRow } from './checkpoint-row.tsx'
import './checkpoint-editor.css'

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
    mutationFn: () => putCheckpoints(eventId, updateOf(drafts)),
    onSuccess: async (checkpoints) => {
      client.setQueryData(checkpointsQuery(eventId).queryKey, checkpoints)
      setDrafts(draftsOf(checkpoints))
      notify(t('race.checkpointsSaved'))
      await client.invalidateQueries({ queryKey: queryKeys.race(eventId) })
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
