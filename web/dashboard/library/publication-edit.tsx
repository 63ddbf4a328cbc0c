import {
  Anchor,
  Checkbox,
  Group,
  NativeSelect,
  type NativeSelectProps,
  Paper,
  Text,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { isSlug } from '../../../src/publications/model/fields.ts'
import { hasStatus } from '../api/api-error.ts'
import { notify } from '../components/feedback.tsx'
import { ResourceForm } from '../components/forms.tsx'
import { operatorGetPublicationOptions } from '../generated/@tanstack/react-query.gen.ts'
import { operatorUpdatePublication } from '../generated/sdk.gen.ts'
import type { OperatorPublication } from '../generated/types.gen.ts'
import { useCollections, useCollectionsChanged } from './collections.tsx'

type Statements = { title: string; slug: string; language: string; author: string; description: string }
/** An empty view is by the format of the pages, and an empty collection is none. */
export type EditedValues = Statements & { firstView: string; collection: string; recognizeText: boolean }

export const FIRST_VIEWS = ['scroll', 'book', 'slides'] as const

type PublicationEditProps = {
  publication: OperatorPublication
  /** Called with all values at each change of one, for a preview. */
  onEdited(values: EditedValues): void
}

/** Edits a publication's statements and the fate of its pages. */
export function PublicationEdit({ publication, onEdited }: PublicationEditProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const onChanged = useCollectionsChanged(publication.workspace.id)
  const form = useForm<EditedValues>({
    mode: 'uncontrolled',
    initialValues: valuesOf(publication),
    onValuesChange: onEdited,
    validate: {
      title: (title) => (title.trim() === '' ? t('publication.titleMissing') : null),
      slug: (slug) => (isSlug(slug.trim()) ? null : t('publication.slugWrong')),
      language: (tag) => (isLanguageTag(tag.trim()) ? null : t('publication.languageWrong')),
    },
  })
  const onSaved = async (saved: OperatorPublication) => {
    client.setQueryData(operatorGetPublicationOptions({ path: { id: publication.id } }).queryKey, saved)
    form.resetDirty()
    notify(t('action.saved'))
    await onChanged()
  }
  const field = (name: keyof EditedValues) => ({
    autoComplete: 'off',
    key: form.key(name),
    ...form.getInputProps(name),
  })
  const ofFile = (name: keyof OperatorPublication['file_statements'], label: string) => (
    <FileStatement {...{ publication, name, label }} onUse={(text) => form.setFieldValue(name, text)} />
  )
  return (
    <Paper withBorder p="lg" bg="var(--panel-background)">
      <ResourceForm
        form={form}
        save={(values) =>
          operatorUpdatePublication({ path: { id: publication.id }, body: changesOf(values, valuesOf(publication)) })
        }
        onSaved={onSaved}
        onFailed={(error) => {
          if (hasStatus(error, 409)) form.setFieldError('slug', t('publication.slugTaken'))
        }}
        submitLabel={t('action.save')}
        // A taken slug is shown at its field.
        describe={(error) => (hasStatus(error, 409) ? '' : undefined)}
      >
        <Title order={2}>{t('publication.details')}</Title>
        <div>
          <TextInput label={t('field.title')} required maxLength={500} {...field('title')} />
          {ofFile('title', t('field.title'))}
        </div>
        <TextInput
          label={t('publication.slug')}
          description={t('publication.slugHelp')}
          required
          maxLength={80}
          autoCapitalize="off"
          spellCheck={false}
          {...field('slug')}
        />
        <Group grow align="flex-start">
          <div>
            <TextInput label={t('publication.author')} maxLength={200} {...field('author')} />
            {ofFile('author', t('publication.author'))}
          </div>
          <div>
            <TextInput
              label={t('publication.language')}
              description={t('publication.languageHelp')}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              maxLength={100}
              autoCapitalize="off"
              spellCheck={false}
              {...field('language')}
            />
            {ofFile('language', t('publication.language'))}
          </div>
        </Group>
        <Checkbox
          label={t('publication.recognizeText')}
          description={t('publication.recognizeTextHelp')}
          key={form.key('recognizeText')}
          {...form.getInputProps('recognizeText', { type: 'checkbox' })}
        />
        <FirstViewSelect {...field('firstView')} />
        <CollectionSelect workspaceId={publication.workspace.id} {...field('collection')} />
        <div>
          <Textarea
            label={t('publication.description')}
            description={t('publication.descriptionHelp')}
            autosize
            minRows={2}
            maxLength={1000}
            {...field('description')}
          />
          {ofFile('description', t('publication.description'))}
        </div>
      </ResourceForm>
    </Paper>
  )
}

/** Chooses the view in which readers begin. */
function FirstViewSelect(field: NativeSelectProps) {
  const { t } = useTranslation()
  const views = FIRST_VIEWS.map((view) => ({ value: view, label: t(`publication.view.${view}`) }))
  return (
    <NativeSelect
      label={t('publication.firstView')}
      description={t('publication.firstViewHelp')}
      data={[{ value: '', label: t('publication.viewByFormat') }, ...views]}
      {...field}
    />
  )
}

/** Chooses the collection; nothing in a workspace without any. */
function CollectionSelect({ workspaceId, ...field }: NativeSelectProps & { workspaceId: string }) {
  const { t } = useTranslation()
  const collections = useCollections(workspaceId)
  if (collections === undefined || collections.length === 0) return null
  const named = collections.map(({ id, name }) => ({ value: id, label: name }))
  return (
    <NativeSelect
      label={t('collections.one')}
      description={t('collections.fieldHelp')}
      data={[{ value: '', label: t('collections.without') }, ...named]}
      {...field}
    />
  )
}

type FileStatementProps = {
  publication: OperatorPublication
  name: keyof OperatorPublication['file_statements']
  label: string
  onUse(text: string): void
}

/** Proposes what the file says for a field, unless readers see that already. What its text says is always shown. */
function FileStatement({ publication, name, label, onUse }: FileStatementProps) {
  const { t } = useTranslation()
  const isDetected = name === 'language' && publication.file_statements.language === null
  const stated = isDetected ? publication.detected_language : publication.file_statements[name]
  const isShown = stated === publication[name]
  if (stated === null || (isShown && !isDetected)) return null
  return (
    <Text size="xs" c="dimmed" mt={4} style={{ overflowWrap: 'anywhere' }}>
      {t(isDetected ? 'publication.inText' : 'publication.inFile', { value: stated })}{' '}
      {!isShown && (
        <Anchor
          component="button"
          type="button"
          size="xs"
          aria-label={t('publication.useOfFileFor', { field: label, value: stated })}
          onClick={() => onUse(stated)}
        >
          {t('publication.useOfFile')}
        </Anchor>
      )}
    </Text>
  )
}

/** Returns the first values of a form. */
export function valuesOf(publication: OperatorPublication): EditedValues {
  const { title, slug, language, author, description, first_view, recognize_text, collection_id } = publication
  const statements = { title, slug, language: language ?? '', author: author ?? '', description: description ?? '' }
  return { ...statements, firstView: first_view ?? '', recognizeText: recognize_text, collection: collection_id ?? '' }
}

/** Returns the fields that were changed: one that nobody touched remains that of the file. */
function changesOf({ firstView, collection, recognizeText, ...values }: EditedValues, before: EditedValues) {
  const trimmed = Object.entries(values).map(([name, value]) => [name, value.trim()] as const)
  const statements: Partial<Statements> = Object.fromEntries(
    trimmed.filter(([name, value]) => value !== before[name as keyof Statements]),
  )
  const first_view = FIRST_VIEWS.find((view) => view === firstView) ?? null
  return {
    ...statements,
    ...(firstView !== before.firstView && { first_view }),
    ...(recognizeText !== before.recognizeText && { recognize_text: recognizeText }),
    ...(collection !== before.collection && { collection_id: collection || null }),
  }
}

/** Checks a tag by the server's own rule: a language has two or three letters. */
function isLanguageTag(tag: string): boolean {
  if (!/^([a-z]{2,3}([-_].*)?)?$/i.test(tag)) return false
  try {
    return tag === '' || Intl.getCanonicalLocales(tag.replaceAll('_', '-')).length === 1
  } catch {
    return false
  }
}
