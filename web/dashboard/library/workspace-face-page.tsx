import { Button, FileButton, Group, Image, Paper, Stack, Text, Textarea, TextInput, Title } from '@mantine/core'
import { type UseFormReturnType, useForm } from '@mantine/form'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Upload } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { withoutAccents } from '#platform/basics/text.ts'
import { accentProblem, contactProblem } from '../../../src/publications/model/face-fields.ts'
import { isSlug } from '../../../src/publications/model/fields.ts'
import { useRights } from '../access/rights.tsx'
import { ApiError, hasStatus } from '../api/api-error.ts'
import { CopyField, OpenButton } from '../components/copy-fields.tsx'
import { Failure, FormAlert, Loaded, notify } from '../components/feedback.tsx'
import { DeletePanel, nameRule, ResourceForm, textOrNull } from '../components/forms.tsx'
import { Panel } from '../components/panel.tsx'
import { routeIds } from '../components/paths.ts'
import { operatorGetFaceOptions, operatorGetWorkspaceOptions } from '../generated/@tanstack/react-query.gen.ts'
import { operatorDeleteFace, operatorDeleteLogo, operatorUpdateFace, operatorUploadLogo } from '../generated/sdk.gen.ts'
import type { OperatorWorkspace, WorkspaceFace } from '../generated/types.gen.ts'
import { CollectionsPanel } from './collections.tsx'
import { DomainForm, useFaceSaved } from './workspace-domain.tsx'

const LOGO_TYPES = 'image/png,image/jpeg,image/webp'

/** Gives a workspace its public face: the name, logo and colour of its shelf and of its publications' pages. */
export function WorkspaceFacePage() {
  const { workspaceId } = useParams({ from: routeIds.workspace })
  const workspace = useQuery(operatorGetWorkspaceOptions({ path: { id: workspaceId } }))
  const face = useQuery(operatorGetFaceOptions({ path: { id: workspaceId } }))
  const { isOwner } = useRights()
  return (
    <Loaded query={workspace}>
      {(found) => (
        <Loaded query={face}>
          {({ face: shown }) => (
            <Stack maw={640} gap="lg">
              <ShelfAddress face={shown} />
              <FaceForm key={found.id} workspace={found} face={shown} />
              {shown !== null && <LogoPanel workspaceId={found.id} face={shown} />}
              <CollectionsPanel workspaceId={found.id} />
              {shown !== null && isOwner && <DomainForm workspaceId={found.id} face={shown} />}
              {shown !== null && <FaceDelete workspaceId={found.id} face={shown} />}
            </Stack>
          )}
        </Loaded>
      )}
    </Loaded>
  )
}

function ShelfAddress({ face }: { face: WorkspaceFace | null }) {
  const { t } = useTranslation()
  if (face === null) return <Text>{t('face.none')}</Text>
  const { shelf_url: url } = face
  return (
    <Stack gap="xs">
      <CopyField label={t('face.shelf')} value={url} actions={<OpenButton href={url} />} />
      <Text size="sm" c="dimmed">
        {t('face.shelfHelp')}
      </Text>
    </Stack>
  )
}

type Values = Record<'name' | 'slug' | 'about' | 'website' | 'contact' | 'license' | 'color', string>

function valuesOf({ name }: OperatorWorkspace, face: WorkspaceFace | null): Values {
  const { slug = slugOf(name), about, website, contact, license, accent_color } = face ?? {}
  return {
    name: face?.name ?? name,
    slug,
    about: about ?? '',
    website: website ?? '',
    contact: contact ?? '',
    license: license ?? '',
    color: accent_color ?? '',
  }
}

/** Proposes a slug for a name in Latin letters. */
function slugOf(name: string): string {
  return withoutAccents(name)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 80)
}

function FaceForm({ workspace, face }: { workspace: OperatorWorkspace; face: WorkspaceFace | null }) {
  const { t } = useTranslation()
  const onSaved = useFaceSaved(workspace.id)
  const form = useForm<Values>({
    mode: 'uncontrolled',
    initialValues: valuesOf(workspace, face),
    validate: {
      name: nameRule(t),
      slug: (slug) => (isSlug(slug.trim()) ? null : t('publication.slugWrong')),
      website: (address) => (address.trim() === '' || isWebAddress(address.trim()) ? null : t('face.websiteWrong')),
      contact: (contact) => (contactProblem(contact) === undefined ? null : t('face.contactWrong')),
      color: (color) => (color === '' || accentProblem(color) === undefined ? null : t('face.colorWrong')),
    },
  })
  // A proposed slug follows the name until the publisher writes one.
  form.watch('name', ({ previousValue, value }) => {
    if (face === null && form.getValues().slug === slugOf(previousValue)) form.setFieldValue('slug', slugOf(value))
  })
  return (
    <Paper withBorder p="lg" bg="var(--panel-background)">
      <ResourceForm
        form={form}
        save={({ name, slug, about, website, contact, license, color }) =>
          operatorUpdateFace({
            path: { id: workspace.id },
            body: {
              name: name.trim(),
              slug: slug.trim(),
              about: textOrNull(about),
              website: textOrNull(website),
              contact: textOrNull(contact),
              license: textOrNull(license),
              accent_color: textOrNull(color),
            },
          })
        }
        onSaved={(saved) => {
          onSaved(saved)
          notify(t('action.saved'))
        }}
        onFailed={(error) => {
          if (hasStatus(error, 409)) form.setFieldError('slug', t('face.slugTaken'))
        }}
        // A taken slug is shown at its field.
        describe={(error) => (hasStatus(error, 409) ? '' : undefined)}
        submitLabel={t(face === null ? 'face.create' : 'action.save')}
      >
        <FaceFields form={form} />
      </ResourceForm>
    </Paper>
  )
}

function FaceFields({ form }: { form: UseFormReturnType<Values> }) {
  const { t } = useTranslation()
  const field = (name: keyof Values) => ({ autoComplete: 'off', key: form.key(name), ...form.getInputProps(name) })
  return (
    <>
      <Title order={2}>{t('face.title')}</Title>
      <TextInput label={t('face.name')} description={t('face.nameHelp')} required maxLength={200} {...field('name')} />
      <TextInput
        label={t('publication.slug')}
        description={t('face.slugHelp')}
        required
        maxLength={80}
        autoCapitalize="off"
        spellCheck={false}
        {...field('slug')}
      />
      <Textarea
        label={t('face.about')}
        description={t('face.aboutHelp')}
        autosize
        minRows={2}
        maxLength={2000}
        {...field('about')}
      />
      <Group grow align="flex-start">
        <TextInput
          label={t('face.website')}
          type="url"
          inputMode="url"
          placeholder="https://"
          maxLength={500}
          {...field('website')}
        />
        <ColorField form={form} />
      </Group>
      <Group grow align="flex-start">
        <TextInput
          label={t('face.contact')}
          description={t('face.contactHelp')}
          maxLength={320}
          autoCapitalize="off"
          spellCheck={false}
          {...field('contact')}
        />
        <TextInput
          label={t('face.license')}
          description={t('face.licenseHelp')}
          placeholder="CC BY 4.0"
          maxLength={200}
          {...field('license')}
        />
      </Group>
    </>
  )
}

/** A colour as hexadecimal digits, or chosen with the browser's own dialog; empty for none. */
function ColorField({ form }: { form: UseFormReturnType<Values> }) {
  const { t } = useTranslation()
  const [color, setColor] = useState(form.getValues().color)
  form.watch('color', ({ value }) => setColor(value))
  return (
    <TextInput
      label={t('face.color')}
      description={t('face.colorHelp')}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      placeholder="#0b6158"
      maxLength={7}
      autoCapitalize="off"
      spellCheck={false}
      autoComplete="off"
      rightSection={
        <input
          type="color"
          style={{ width: 26, height: 26, padding: 0, border: 0, background: 'none', cursor: 'pointer' }}
          aria-label={t('face.colorChoose')}
          value={/^#[0-9a-f]{6}$/i.test(color) ? color : '#0b6158'}
          onChange={(event) => form.setFieldValue('color', event.currentTarget.value)}
        />
      }
      key={form.key('color')}
      {...form.getInputProps('color')}
    />
  )
}

function isWebAddress(text: string): boolean {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? '')
}

/** Shows, replaces and removes the logo. */
function LogoPanel({ workspaceId, face }: { workspaceId: string; face: WorkspaceFace }) {
  const { t } = useTranslation()
  const onSaved = useFaceSaved(workspaceId)
  const path = { id: workspaceId }
  const onSuccess = (saved: WorkspaceFace) => {
    onSaved(saved)
    notify(t('action.saved'))
  }
  const uploading = useMutation({
    mutationFn: (file: File) => operatorUploadLogo({ path, body: file, headers: { 'Content-Type': file.type } }),
    onSuccess,
  })
  const removing = useMutation({ mutationFn: () => operatorDeleteLogo({ path }), onSuccess })
  const { logo_url: url } = face
  return (
    <Panel title={t('face.logo')}>
      <Stack gap="sm">
        {url !== null && (
          <Image
            src={url}
            alt={t('face.logoOf', { name: face.name })}
            mah={96}
            maw={320}
            w="auto"
            fit="contain"
            style={{ alignSelf: 'flex-start' }}
          />
        )}
        <Text size="sm" c="dimmed">
          {t('face.logoHelp')}
        </Text>
        <Group gap="sm">
          <FileButton
            accept={LOGO_TYPES}
            onChange={(file) => file && uploading.mutate(file)}
            inputProps={{ 'aria-hidden': true, tabIndex: -1 }}
          >
            {(props) => (
              <Button
                {...props}
                variant="default"
                leftSection={<Upload size={16} aria-hidden />}
                loading={uploading.isPending}
              >
                {t(url === null ? 'face.logoChoose' : 'face.logoReplace')}
              </Button>
            )}
          </FileButton>
          {url !== null && (
            <Button variant="subtle" color="red" loading={removing.isPending} onClick={() => removing.mutate()}>
              {t('face.logoRemove')}
            </Button>
          )}
        </Group>
        {!uploading.isPending && uploading.error !== null && <LogoFailure error={uploading.error} />}
        {removing.error !== null && <Failure error={removing.error} />}
      </Stack>
    </Panel>
  )
}

function LogoFailure({ error }: { error: Error }) {
  const { t } = useTranslation()
  if (!(error instanceof ApiError)) return <Failure error={error} />
  if (error.status === 413 || error.problem?.reason === 'too_large')
    return <FormAlert>{t('face.logoTooLarge')}</FormAlert>
  if (error.status === 415 || error.status === 422) return <FormAlert>{t('face.logoRefused')}</FormAlert>
  return <Failure error={error} />
}

function FaceDelete({ workspaceId, face }: { workspaceId: string; face: WorkspaceFace }) {
  const { t } = useTranslation()
  const onSaved = useFaceSaved(workspaceId)
  return (
    <DeletePanel
      name={face.name}
      title={t('face.delete')}
      help={t('face.deleteHelp')}
      action={() => operatorDeleteFace({ path: { id: workspaceId } })}
      onDone={() => {
        onSaved(null)
        notify(t('face.deleted'))
      }}
    >
      {t('face.deleteHelp')}
    </DeletePanel>
  )
}
