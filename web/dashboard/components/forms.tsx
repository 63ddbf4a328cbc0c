import { Button, Group, NumberInput, Stack, Text, TextInput, type TextInputProps } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import type { TFunction } from 'i18next'
import { type FormEvent, type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog, Dialog } from './dialogs.tsx'
import { Failure } from './feedback.tsx'
import { Panel } from './panel.tsx'

type SubmitFormProps = {
  onSubmit(event: FormEvent<HTMLFormElement>): void
  submitting: { isPending: boolean; error: unknown }
  submitLabel: string
  /** Adds a button that leaves the form. */
  onCancel?(): void
  /** Replaces that button, such as by a link. */
  cancel?: ReactNode
  /** Describes a failure that the form knows more about; undefined and false leave it to {@link Failure}. */
  describe?(error: unknown): ReactNode
  children: ReactNode
}

/** The fields of a form, the failure of its last submission, and its buttons. */
export function SubmitForm(props: SubmitFormProps) {
  const { onSubmit, submitting, submitLabel, onCancel, cancel, children } = props
  const { t } = useTranslation()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    const form = event.currentTarget
    onSubmit(event)
    // Once the page shows a mistake, the keyboard is in the field to correct.
    requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {children}
        {failureOf(props)}
        <Group justify="flex-end">
          {cancel}
          {onCancel !== undefined && (
            <Button variant="default" onClick={onCancel}>
              {t('action.cancel')}
            </Button>
          )}
          <SubmitButton isPending={submitting.isPending}>{submitLabel}</SubmitButton>
        </Group>
      </Stack>
    </form>
  )
}

/** Sends a form. Disabled while the request is under way, it takes the keyboard back, which nothing has meanwhile. */
export function SubmitButton({ isPending, children }: { isPending: boolean; children: ReactNode }) {
  const button = useRef<HTMLButtonElement>(null)
  const wasPending = useRef(false)
  useEffect(() => {
    if (wasPending.current && !isPending && document.activeElement === document.body) button.current?.focus()
    wasPending.current = isPending
  }, [isPending])
  return (
    <Button ref={button} type="submit" loading={isPending}>
      {children}
    </Button>
  )
}

function failureOf({ submitting: { error }, describe }: SubmitFormProps): ReactNode {
  if (error === null || error === undefined) return null
  const description = describe?.(error)
  return description === undefined || description === false ? <Failure error={error} /> : description
}

type ResourceFormProps<Values, Saved> = Omit<SubmitFormProps, 'onSubmit' | 'submitting'> & {
  form: UseFormReturnType<Values>
  save(values: Values): Promise<Saved>
  onSaved?(saved: Saved): unknown
  onFailed?(error: unknown): void
}

/** A form whose fields are checked and then saved by one request. Leaving the page before that asks. */
export function ResourceForm<Values, Saved>(props: ResourceFormProps<Values, Saved>) {
  const { form, save, onSaved, onFailed, ...rest } = props
  const saving = useMutation({
    mutationFn: save,
    onSuccess(saved) {
      // Before the page is left for the one of what was saved.
      form.resetDirty()
      return onSaved?.(saved)
    },
    onError: onFailed,
  })
  return (
    <>
      <SubmitForm onSubmit={form.onSubmit((values) => saving.mutate(values))} submitting={saving} {...rest} />
      <UnsavedChanges isChanged={() => form.isDirty()} />
    </>
  )
}

/** Returns a text without spaces around it; null for an empty one. */
export function textOrNull(text: string): string | null {
  return text.trim() || null
}

type LimitInputProps<Values> = {
  form: UseFormReturnType<Values>
  name: keyof Values & string
  label: string
  /** The amount in use now, formatted. */
  current: string
  /** True if the limit cannot be changed by this operator. */
  isFixed?: boolean
}

/** A limit as a whole number; empty for none. It shows how much is in use. */
export function LimitInput<Values>({ form, name, label, current, isFixed = false }: LimitInputProps<Values>) {
  const { t } = useTranslation()
  return (
    <NumberInput
      label={label}
      description={t('event.limitHelp', { current })}
      min={0}
      max={1_000_000_000}
      allowDecimal={false}
      allowNegative={false}
      thousandSeparator=" "
      hideControls
      disabled={isFixed}
      key={form.key(name)}
      {...form.getInputProps(name)}
    />
  )
}

/** Returns the limit of an input; null if it is empty. */
export function limitOf(value: number | string): number | null {
  return value === '' ? null : Number(value)
}

type DeletePanelProps = {
  /** The name of the thing; it has to be typed before anything is deleted. */
  name: string
  title: string
  help: string
  typeLabel?: string
  action(): Promise<unknown>
  onDone(): unknown
  /** The consequences, such as further deletions. */
  children: ReactNode
}

/** The part of a settings page that deletes what the page is about. */
export function DeletePanel({ help, ...dialog }: DeletePanelProps) {
  const { t } = useTranslation()
  const [opened, { open, close }] = useDisclosure()
  const { name, title } = dialog
  return (
    <Panel title={title}>
      <Group justify="space-between">
        <Text size="sm" c="dimmed" flex="1 1 280px">
          {help}
        </Text>
        <Button color="red" variant="outline" onClick={open}>
          {t('action.delete')}
        </Button>
      </Group>
      <ConfirmDialog
        {...dialog}
        opened={opened}
        onClose={close}
        title={t('action.deleteThis', { name })}
        confirmLabel={title}
        typedName={name}
      />
    </Panel>
  )
}

/**
 * Asks before the page is left while something on it is not saved: by a link, by going back or by closing the tab.
 * `isChanged` is called at that moment.
 */
export function UnsavedChanges({ isChanged }: { isChanged(): boolean }) {
  const { t } = useTranslation()
  const { status, proceed, reset } = useBlocker({
    // A change of the search, such as of a filter, stays on the page.
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && isChanged(),
    enableBeforeUnload: isChanged,
    withResolver: true,
  })
  const stay = () => reset?.()
  return (
    <Dialog opened={status === 'blocked'} onClose={stay} title={t('unsaved.title')} isCentered>
      <Stack>
        <Text>{t('unsaved.help')}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={() => proceed?.()}>
            {t('unsaved.leave')}
          </Button>
          <Button onClick={stay} data-autofocus>
            {t('unsaved.stay')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

type NameInputProps<Values> = Omit<TextInputProps, 'form'> & { form: UseFormReturnType<Values> }

/** The input for the name of something, when creating and when renaming it. */
export function NameInput<Values extends { name: string }>({
  form,
  maxLength = 200,
  ...input
}: NameInputProps<Values>) {
  const { t } = useTranslation()
  return (
    <TextInput
      label={t('field.name')}
      required
      maxLength={maxLength}
      autoComplete="off"
      {...input}
      key={form.key('name')}
      {...form.getInputProps('name')}
    />
  )
}

/** Returns the rule that a name must not be empty. */
export function nameRule(t: TFunction) {
  return (name: string) => (name.trim() === '' ? t('field.nameMissing') : null)
}
