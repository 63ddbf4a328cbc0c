import { ActionIcon, Anchor, Button, Group, Menu, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ArrowDown, ArrowUp, ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isSlug } from '../../../src/publications/model/fields.ts'
import { hasStatus } from '../api/api-error.ts'
import { ConfirmDialog, Dialog } from '../components/dialogs.tsx'
import { FormAlert, Loaded, notify, useNotifyError } from '../components/feedback.tsx'
import { SubmitForm } from '../components/forms.tsx'
import { RowButton } from '../components/lists.tsx'
import { Panel } from '../components/panel.tsx'
import {
  operatorListCollectionsOptions,
  operatorListPublicationsQueryKey,
} from '../generated/@tanstack/react-query.gen.ts'
import { operatorCreateCollection, operatorDeleteCollection, operatorUpdateCollection } from '../generated/sdk.gen.ts'
import type { Collection } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'

function collectionsQuery(workspaceId: string) {
  return operatorListCollectionsOptions({ path: { id: workspaceId } })
}

/** Returns the collections of a workspace; undefined until they are known. */
export function useCollections(workspaceId: string): Collection[] | undefined {
  return useQuery(collectionsQuery(workspaceId)).data?.collections
}

/** Returns a function that fetches again what a change of collections concerns. */
export function useCollectionsChanged(workspaceId: string): () => Promise<void> {
  const client = useQueryClient()
  return async () => {
    await client.invalidateQueries({ queryKey: collectionsQuery(workspaceId).queryKey })
    await client.invalidateQueries({ queryKey: operatorListPublicationsQueryKey({ path: { id: workspaceId } }) })
  }
}

/** The collections of a workspace in the order of its shelf: created, renamed, moved and deleted. */
export function CollectionsPanel({ workspaceId }: { workspaceId: string }) {
  const { t } = useTranslation()
  const query = useQuery(collectionsQuery(workspaceId))
  const [isCreating, setCreating] = useState(false)
  return (
    <Panel title={t('collections.title')} help={t('collections.help')}>
      <Loaded query={query}>
        {({ collections }) => <CollectionList workspaceId={workspaceId} collections={collections} />}
      </Loaded>
      <Button variant="default" mt="md" onClick={() => setCreating(true)}>
        {t('collections.new')}
      </Button>
      {isCreating && <CollectionDialog workspaceId={workspaceId} onClose={() => setCreating(false)} />}
    </Panel>
  )
}

function CollectionList({ workspaceId, collections }: { workspaceId: string; collections: Collection[] }) {
  const { t } = useTranslation()
  const onChanged = useCollectionsChanged(workspaceId)
  const notifyError = useNotifyError()
  const [changing, change] = useState<Collection>()
  const [deleting, remove] = useState<Collection>()
  const moving = useMutation({
    mutationFn: ({ collectionId, position }: { collectionId: string; position: number }) =>
      operatorUpdateCollection({ path: { id: workspaceId, collectionId }, body: { position } }),
    onSuccess: onChanged,
    onError: notifyError,
  })
  if (collections.length === 0) return <Text size="sm">{t('collections.none')}</Text>
  return (
    <>
      <Stack component="ul" gap="sm" p={0} m={0} style={{ listStyle: 'none' }} aria-label={t('collections.title')}>
        {collections.map((collection, at) => (
          <Group component="li" key={collection.id} justify="space-between" gap="xs">
            <CollectionFacts collection={collection} />
            <Group gap={6} wrap="nowrap">
              {([-1, 1] as const).map((by) => (
                <ActionIcon
                  key={by}
                  variant="default"
                  size={30}
                  aria-label={t(by === -1 ? 'collections.up' : 'collections.down', { name: collection.name })}
                  disabled={moving.isPending || collections[at + by] === undefined}
                  onClick={() => moving.mutate({ collectionId: collection.id, position: at + by })}
                >
                  {by === -1 ? <ArrowUp size={16} aria-hidden /> : <ArrowDown size={16} aria-hidden />}
                </ActionIcon>
              ))}
              <RowButton
                aria-label={t('collections.changeThis', { name: collection.name })}
                onClick={() => change(collection)}
              >
                {t('links.change')}
              </RowButton>
              <RowButton
                aria-label={t('collections.deleteThis', { name: collection.name })}
                onClick={() => remove(collection)}
              >
                {t('action.delete')}
              </RowButton>
            </Group>
          </Group>
        ))}
      </Stack>
      {changing !== undefined && (
        <CollectionDialog workspaceId={workspaceId} collection={changing} onClose={() => change(undefined)} />
      )}
      {deleting !== undefined && (
        <ConfirmDialog
          onClose={() => remove(undefined)}
          action={() => operatorDeleteCollection({ path: { id: workspaceId, collectionId: deleting.id } })}
          doneMessage={t('collections.deleted')}
          onDone={onChanged}
          title={t('collections.deleteTitle', { name: deleting.name })}
          confirmLabel={t('collections.delete')}
        >
          {t('collections.deleteHelp')}
        </ConfirmDialog>
      )}
    </>
  )
}

/** The name of a collection, which leads to its page if readers find it, and how many publications it has. */
function CollectionFacts({ collection }: { collection: Collection }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { name, url, publications_count: count, shelved_count: shelved } = collection
  return (
    <div style={{ flex: '1 1 220px', minWidth: 0, overflowWrap: 'anywhere' }}>
      {url !== null && shelved > 0 ? (
        <Anchor href={url} target="_blank" size="sm" fw={600}>
          {name}
        </Anchor>
      ) : (
        <Text size="sm" fw={600}>
          {name}
        </Text>
      )}
      <Text size="xs" c="dimmed">
        {t('workspaces.publications', { count, figure: format.count(count) })}
        {url !== null && ` · ${shelved === 0 ? t('collections.unseen') : t('collections.shelved', { count: shelved })}`}
      </Text>
    </div>
  )
}

type CollectionDialogProps = {
  workspaceId: string
  /** Undefined to create one. */
  collection?: Collection
  onClose(): void
  onSaved?(saved: Collection): unknown
}

/** Creates or renames a collection. */
function CollectionDialog({ workspaceId, collection, onClose, onSaved }: CollectionDialogProps) {
  const { t } = useTranslation()
  const onChanged = useCollectionsChanged(workspaceId)
  const [name, setName] = useState(collection?.name ?? '')
  const [slug, setSlug] = useState(collection?.slug ?? '')
  const [isTried, setTried] = useState(false)
  const isNameless = name.trim() === ''
  const isSlugWrong = collection !== undefined && !isSlug(slug.trim())
  const saving = useMutation({
    mutationFn: () =>
      collection === undefined
        ? operatorCreateCollection({ path: { id: workspaceId }, body: { name: name.trim() } })
        : operatorUpdateCollection({
            path: { id: workspaceId, collectionId: collection.id },
            body: { name: name.trim(), slug: slug.trim() },
          }),
    onSuccess: async (saved) => {
      onClose()
      notify(t(collection === undefined ? 'collections.created' : 'action.saved'))
      await onChanged()
      await onSaved?.(saved)
    },
  })
  return (
    <Dialog
      opened
      onClose={onClose}
      title={collection === undefined ? t('collections.new') : t('collections.changeThis', { name: collection.name })}
    >
      <SubmitForm
        onSubmit={(event) => {
          event.preventDefault()
          setTried(true)
          if (!isNameless && !isSlugWrong) saving.mutate()
        }}
        submitting={saving}
        submitLabel={t(collection === undefined ? 'collections.create' : 'action.save')}
        onCancel={onClose}
        describe={(error) =>
          hasStatus(error, 409) && (
            <FormAlert>{t(collection === undefined ? 'collections.tooMany' : 'collections.slugTaken')}</FormAlert>
          )
        }
      >
        <TextInput
          label={t('face.name')}
          required
          maxLength={200}
          autoComplete="off"
          data-autofocus
          error={isTried && isNameless && t('field.nameMissing')}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        {collection !== undefined && (
          <TextInput
            label={t('publication.slug')}
            description={t('collections.slugHelp')}
            required
            maxLength={80}
            autoCapitalize="off"
            spellCheck={false}
            autoComplete="off"
            error={isTried && isSlugWrong && t('publication.slugWrong')}
            value={slug}
            onChange={({ currentTarget }) => setSlug(currentTarget.value)}
          />
        )}
      </SubmitForm>
    </Dialog>
  )
}

type CollectionMenuProps = { workspaceId: string; isBusy: boolean; onChoose(collectionId: string | null): void }

/** Puts publications into a collection, which may be a new one, or into none. */
export function CollectionMenu({ workspaceId, isBusy, onChoose }: CollectionMenuProps) {
  const { t } = useTranslation()
  const collections = useCollections(workspaceId) ?? []
  const [isCreating, setCreating] = useState(false)
  return (
    <>
      <Menu position="bottom-start">
        <Menu.Target>
          <Button size="xs" variant="default" disabled={isBusy} rightSection={<ChevronDown size={14} aria-hidden />}>
            {t('collections.one')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah={320} maw={320} style={{ overflowY: 'auto' }}>
          {collections.map(({ id, name }) => (
            <Menu.Item key={id} onClick={() => onChoose(id)} style={{ overflowWrap: 'anywhere' }}>
              {name}
            </Menu.Item>
          ))}
          {collections.length > 0 && <Menu.Item onClick={() => onChoose(null)}>{t('collections.without')}</Menu.Item>}
          {collections.length > 0 && <Menu.Divider />}
          <Menu.Item onClick={() => setCreating(true)}>{t('collections.newHere')}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isCreating && (
        <CollectionDialog
          workspaceId={workspaceId}
          onClose={() => setCreating(false)}
          onSaved={({ id }) => onChoose(id)}
        />
      )}
    </>
  )
}
