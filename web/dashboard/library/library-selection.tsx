import { Button, Checkbox, Group, Menu, Paper, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../components/dialogs.tsx'
import { notify, notifyFailure, useNotifyError } from '../components/feedback.tsx'
import { useNotifyDeletion, usePublicationsUndoHint } from '../components/undo-deletion.ts'
import {
  operatorGetFaceOptions,
  operatorGetWorkspaceQueryKey,
  operatorListPublicationsQueryKey,
} from '../generated/@tanstack/react-query.gen.ts'
import {
  operatorDeletePublication,
  operatorPublishPublication,
  operatorUnpublishPublication,
  operatorUpdatePublication,
  operatorUpdateShelfOrder,
} from '../generated/sdk.gen.ts'
import type { LibraryEntry } from '../generated/types.gen.ts'
import { CollectionMenu, useCollectionsChanged } from './collections.tsx'
import { ACCESSES } from './library-search.ts'

/** The selected publications of a library, by their ids. */
export type Selection = { ids: ReadonlySet<string>; toggle(id: string): void; change(ids: readonly string[]): void }

/** Holds which publications are selected. */
export function useSelection(): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  return {
    ids,
    toggle: (id) =>
      setIds((before) => new Set(before.has(id) ? [...before].filter((one) => one !== id) : [...before, id])),
    change: (all) => setIds(new Set(all)),
  }
}

/** Selects a publication. */
export function SelectBox({ entry, selection }: { entry: LibraryEntry; selection: Selection }) {
  const { t } = useTranslation()
  return (
    <Checkbox
      size="sm"
      aria-label={t('selection.select', { title: entry.title })}
      checked={selection.ids.has(entry.id)}
      onChange={() => selection.toggle(entry.id)}
    />
  )
}

type Change = { of(id: string): Promise<unknown>; isDeletion?: boolean; isSorting?: boolean }

type SelectionBarProps = { workspaceId: string; entries: readonly LibraryEntry[]; selection: Selection }

/** Actions on all selected publications that are loaded. Nothing is shown while none is selected. */
export function SelectionBar({ workspaceId, entries, selection }: SelectionBarProps) {
  const { t } = useTranslation()
  const [asked, ask] = useState<'unpublish' | 'delete'>()
  const selected = entries.filter(({ id }) => selection.ids.has(id))
  const changing = useChanging(workspaceId, selected, selection)
  const count = selected.length
  const undoHint = usePublicationsUndoHint(workspaceId, count)
  if (count === 0) return null
  const isBusy = changing.isPending
  const run = (of: Change['of']) => () => changing.mutate({ of })
  const titles = (
    <ul className="library-selection-titles">
      {selected.map(({ id, title }) => (
        <li key={id}>{title}</li>
      ))}
    </ul>
  )
  return (
    <Paper withBorder p="xs" className="library-selection" role="group" aria-label={t('selection.actions')}>
      <Group gap="xs">
        <Text size="sm" fw={600} role="status" px="xs">
          {t('selection.count', { count })}
        </Text>
        <Button size="xs" variant="default" disabled={isBusy} onClick={run((id) => operatorPublishPublication(at(id)))}>
          {t('selection.publish')}
        </Button>
        <Button size="xs" variant="default" disabled={isBusy} onClick={() => ask('unpublish')}>
          {t('visibility.unpublishOpen')}
        </Button>
        <Menu position="bottom-start">
          <Menu.Target>
            <Button size="xs" variant="default" disabled={isBusy} rightSection={<ChevronDown size={14} aria-hidden />}>
              {t('selection.access')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {ACCESSES.map((access) => (
              <Menu.Item key={access} onClick={run((id) => operatorUpdatePublication({ ...at(id), body: { access } }))}>
                {t(`publication.${access}`)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
        <CollectionMenu
          workspaceId={workspaceId}
          isBusy={isBusy}
          onChoose={(collection_id) =>
            changing.mutate({
              of: (id) => operatorUpdatePublication({ ...at(id), body: { collection_id } }),
              isSorting: true,
            })
          }
        />
        <ShelfMenu workspaceId={workspaceId} ids={selected.map(({ id }) => id)} />
        <Button size="xs" variant="outline" color="red" disabled={isBusy} onClick={() => ask('delete')}>
          {t('action.delete')}
        </Button>
        <Group gap="xs" ml="auto">
          <Button size="xs" variant="subtle" onClick={() => selection.change(entries.map(({ id }) => id))}>
            {t('selection.all')}
          </Button>
          <Button size="xs" variant="subtle" onClick={() => selection.change([])}>
            {t('selection.none')}
          </Button>
        </Group>
      </Group>
      {asked === 'unpublish' && (
        <ConfirmDialog
          onClose={() => ask(undefined)}
          action={() => changing.mutateAsync({ of: (id) => operatorUnpublishPublication(at(id)) })}
          title={t('selection.unpublishTitle', { count })}
          confirmLabel={t('visibility.unpublish')}
        >
          <Text mb="xs">{t('selection.unpublishHelp')}</Text>
          {titles}
        </ConfirmDialog>
      )}
      {asked === 'delete' && (
        <ConfirmDialog
          onClose={() => ask(undefined)}
          action={() => changing.mutateAsync({ of: (id) => operatorDeletePublication(at(id)), isDeletion: true })}
          title={t('selection.deleteTitle', { count })}
          confirmLabel={t('selection.delete', { count })}
          typedName={String(count)}
          typeLabel={t('selection.typeCount')}
        >
          <Text mb="xs">
            {t('selection.deleteHelp')} {undoHint}
          </Text>
          {titles}
        </ConfirmDialog>
      )}
    </Paper>
  )
}

/** Makes the same change to each of the selected publications, and says how many were changed. */
function useChanging(workspaceId: string, selected: readonly LibraryEntry[], selection: Selection) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const onCollectionsChanged = useCollectionsChanged(workspaceId)
  const notifyDeletion = useNotifyDeletion('publication', workspaceId)
  return useMutation({
    mutationFn: async ({ of }: Change) => {
      const changed: string[] = []
      // One after another: the server confirms, counts and writes down each.
      for (const { id } of selected)
        await of(id).then(
          () => changed.push(id),
          () => {},
        )
      return { changed, failed: selected.length - changed.length }
    },
    onSuccess: async ({ changed, failed }, { isDeletion = false, isSorting = false }) => {
      const { length: count } = changed
      if (count > 0 && !isDeletion) notify(t('selection.done', { count }))
      if (failed > 0) notifyFailure(t('selection.failed', { count: failed }))
      if (isDeletion) selection.change([])
      const words = { deleted: t('selection.deleted', { count }), restored: t('selection.restored', { count }) }
      if (count > 0 && isDeletion) await notifyDeletion({ ids: changed, ...words })
      if (isSorting) await onCollectionsChanged()
      await client.invalidateQueries({ queryKey: operatorListPublicationsQueryKey({ path: { id: workspaceId } }) })
      await client.invalidateQueries({ queryKey: operatorGetWorkspaceQueryKey({ path: { id: workspaceId } }) })
    },
  })
}

/** Puts publications first on the shelf of the workspace, or back in their turn; nothing without a shelf. */
function ShelfMenu({ workspaceId, ids }: { workspaceId: string; ids: readonly string[] }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const notifyError = useNotifyError()
  const options = operatorGetFaceOptions({ path: { id: workspaceId } })
  const face = useQuery(options).data?.face
  const ordering = useMutation({
    mutationFn: (publication_ids: string[]) =>
      operatorUpdateShelfOrder({ path: { id: workspaceId }, body: { publication_ids } }),
    onSuccess: (saved) => {
      client.setQueryData(options.queryKey, { face: saved })
      notify(t('selection.ordered'))
    },
    onError: notifyError,
  })
  if (face === null || face === undefined) return null
  const others = face.order.filter((id) => !ids.includes(id))
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button
          size="xs"
          variant="default"
          disabled={ordering.isPending}
          rightSection={<ChevronDown size={14} aria-hidden />}
        >
          {t('face.shelf')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => ordering.mutate([...ids, ...others].slice(0, MAX_ORDERED))}>
          {t('selection.first')}
        </Menu.Item>
        <Menu.Item onClick={() => ordering.mutate(others)}>{t('selection.inTurn')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

/** The server's own limit. */
const MAX_ORDERED = 1_000

function at(id: string) {
  return { path: { id } }
}
