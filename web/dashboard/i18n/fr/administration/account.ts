import type { account as english } from '../../en/administration/account.ts'
import type { TextsOf } from '../../en/texts-of.ts'

/** Sign-in, the signed-in operator’s account, and the other operators. */
export const account: TextsOf<typeof english> = {
  'signIn.title': 'Connexion',
  'signIn.name': 'Nom',
  'signIn.password': 'Mot de passe',
  'signIn.showPassword': 'Afficher le mot de passe',
  'signIn.submit': 'Se connecter',
  'signIn.wrong': 'Nom ou mot de passe incorrect.',
  'signIn.toContinue': 'Connectez-vous pour ouvrir la page demandée. Si vous étiez connecté, votre session a expiré.',
  'signIn.yourName': 'Votre nom de connexion',
  'signIn.forgotten':
    'Mot de passe oublié ? Demandez un nouveau lien de connexion à un autre opérateur ou à la personne qui gère le serveur.',

  'password.setTitle': 'Choisissez un mot de passe',
  'password.setExplanation':
    'Le lien qui vous a amené ici ne fonctionne qu’une fois. Désormais, connectez-vous avec le nom {{name}} et ce mot de passe.',
  'password.setSubmit': 'Définir le mot de passe et se connecter',
  'password.changeTitle': 'Mot de passe',
  'password.changeSubmit': 'Changer le mot de passe',
  'password.changed': 'Mot de passe modifié',
  'password.current': 'Mot de passe actuel',
  'password.currentMissing': 'Saisissez votre mot de passe actuel',
  'password.currentWrong': 'Le mot de passe actuel est incorrect.',
  'password.new': 'Nouveau mot de passe',
  'password.again': 'Confirmer le nouveau mot de passe',
  'password.rule': 'Au moins {{count}} caractères. Choisissez quelques mots sans lien entre eux.',
  'password.tooShort': 'Utilisez au moins {{count}} caractères',
  'password.different': 'Les mots de passe ne correspondent pas',
  'password.weak':
    'Ce mot de passe est trop facile à deviner. Évitez votre nom, les mots courants et les suites de touches.',
  'password.linkOverTitle': 'Ce lien ne fonctionne plus',
  'password.linkOver': 'Il a expiré, a déjà été utilisé ou a été remplacé par un lien plus récent.',
  'password.linkOverHelp': 'Demandez un nouveau lien à un autre opérateur ou à la personne qui gère le serveur.',
  'password.toSignIn': 'Se connecter avec un mot de passe',

  'account.title': 'Votre compte',
  'account.signOut': 'Se déconnecter',

  'session.endedTitle': 'Votre session a expiré',
  'session.endedHelp': 'Reconnectez-vous pour continuer. Ce que vous avez saisi est conservé.',

  'sessions.title': 'Sessions actives',
  'sessions.explanation': 'Si vous ne reconnaissez pas une session, fermez-la et changez votre mot de passe.',
  'sessions.explanationAtProvider':
    'Si vous ne reconnaissez pas une session, fermez-la, et sécurisez votre compte auprès du fournisseur d’identité.',
  'sessions.current': 'Cette session',
  'sessions.unknown': 'Navigateur inconnu',
  'sessions.lastSeen': 'Dernière activité',
  'sessions.expires': 'expire le {{time}}',
  'sessions.from': 'depuis {{address}}',
  'sessions.end': 'Fermer',
  'sessions.endThis': 'Fermer la session : {{name}}',
  'sessions.ended': 'Session fermée',

  'operators.title': 'Opérateurs',
  'account.signIn': 'Connexion',
  'account.atProvider':
    'Vous vous connectez par le fournisseur d’identité de votre organisation, qui gère aussi l’éventuelle deuxième étape.',
  'operators.newReachAll':
    'Les lecteurs et éditeurs qui se connectent pour la première fois par le fournisseur d’identité ont accès à tout. OIDC_NEW_ACCOUNTS_REACH permet de changer cela.',
  'operators.newReachNothing':
    'Les lecteurs et éditeurs qui se connectent pour la première fois par le fournisseur d’identité ne voient rien tant que vous ne leur donnez pas accès ici.',
  'operators.suspended': 'Suspendu',
  'operators.suspendedHelp':
    'Aucun rôle chez le fournisseur d’identité depuis le {{time}}. Dès qu’il en attribue un, cette personne peut se reconnecter. Sinon, supprimez le compte.',
  'operators.explanation':
    'Toutes les personnes qui peuvent se connecter ici, et ce qu’elles peuvent voir et modifier.',
  'operators.new': 'Nouvel opérateur',
  'operators.newHelp':
    'Vous obtenez un lien à transmettre. Le nouvel opérateur s’en sert pour définir son mot de passe.',
  'operators.nameTaken': 'Un opérateur porte déjà ce nom.',
  'operators.since': 'Ajout',
  'operators.lastSignIn': 'Dernière connexion',
  'operators.neverSignedIn': 'Jamais',
  'operators.secondFactor': 'Deuxième étape',
  'operators.withSecondFactor': 'Activée',
  'operators.withoutSecondFactor': 'Désactivée',
  'operators.you': 'Vous',
  'operators.createSubmit': 'Ajouter l’opérateur',
  'operators.link': 'Lien de connexion',
  'operators.linkFor': 'Lien de connexion pour {{name}}',
  'operators.linkHelp':
    'Transmettez ce lien vous-même. Il permet de définir un mot de passe, ne fonctionne qu’une fois et expire le {{time}}.',
  'operators.linkCopy': 'Copier le lien',
  'operators.delete': 'Supprimer',
  'operators.deleteThis': 'Supprimer {{name}}',
  'operators.deleteHelp': 'Ses sessions se ferment immédiatement. Ce que cette personne a créé reste.',
  'operators.deleted': '{{name}} : suppression effectuée',
}
