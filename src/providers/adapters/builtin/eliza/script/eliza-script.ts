import { parseScript, type Script } from '../script.js';
import { ABOUT_ELIZA } from './about-eliza.js';
import { ATTITUDES } from './attitudes.js';
import { DAILY_LIFE } from './daily-life.js';
import { FEELINGS } from './feelings.js';
import { PEOPLE } from './people.js';
import { SENTENCES } from './sentences.js';
import { SMALL_TALK } from './small-talk.js';
import { TURNS_OF_PHRASE } from './turns-of-phrase.js';

/** Words that stand for one another in the patterns of every part of the script. */
const GROUPS = `
group i: i we
group you: you
group we: we
group are: am are is was were
group feel: feel am feeling felt
group intensely: so very really quite rather extremely pretty always just too terribly
group sad: sad unhappy depressed miserable low gloomy down heartbroken
group happy: happy glad cheerful joyful delighted excited proud hopeful great wonderful relieved
group afraid: afraid scared frightened terrified anxious nervous worried
group worry: worry fear panic
group angry: angry furious mad annoyed irritated frustrated
group with: with at about
group lonely: lonely alone lonesome isolated abandoned
group tired: tired exhausted sleepy weary stressed overwhelmed burnt-out
group guilty: guilty ashamed embarrassed bad
group cannot: can't don't couldn't
group cry: cry cried
group died: died dead gone
group elder: mother father parents stepmother stepfather grandmother grandfather grandma grandpa aunt uncle
group family: @elder sister brother twin wife husband son daughter cousin family
group friend: friend friends buddy colleague colleagues neighbour neighbours neighbor roommate
group partner: boyfriend girlfriend partner ex ex-wife ex-husband fiance fiancee lover marriage relationship
group boss: boss manager supervisor teacher professor landlord coworker
group pet: dog cat pet puppy kitten
group kids: children kids baby child
group person: @family @friend @partner @boss @kids
group he: he she
group him: him her them
group everybody: everyone everybody
group nobody: nobody noone none
group they: they we
group job: job work office career company
group exam: exam exams test homework studies grades
group debt: debt debts
group doctor: doctor therapist
group ill: sick ill
group dreamt: dream dreamed dreamt
group it: it this that
group go: go leave
group anybody: anyone anybody people
group his: his her their
group made: made wrote built created programmed
group home: home house flat apartment city town
group trip: holiday holidays vacation travel travelling trip weekend
group plan: plan plans goal goals
group problem: problem problems trouble issue issues
group have: have
group want: want need wish hope crave desire
group think: think believe suspect doubt
group like: like love enjoy prefer adore
group hope: hope wish
group hate: hate hates dislike detest despise
group can: can could would should do will
group treats: makes made ignores ignored treats treated left hates loves
group never: @treats never always keeps forgets said says thinks wants
group one: one
group agree: yes yeah sure certainly definitely exactly indeed absolutely
group daytime: morning evening afternoon
group maker: ai chatbot robot bot machine program computer llm gpt chatgpt algorithm human person real
group computers: ai chatbots robots computer robot chatgpt program machine
group facts: is are was were time day does
group fought: fight fought argue argued argument quarrel
group lied: lied lie lies cheated lying
group change: change changed changes
group stupid: stupid idiot dumb useless
group quality: perfect awful terrible horrible bad good nice
`;

const PARTS = [GROUPS, SMALL_TALK, ABOUT_ELIZA, FEELINGS, PEOPLE, DAILY_LIFE, ATTITUDES, SENTENCES, TURNS_OF_PHRASE];

let script: Script | undefined;

/** The script of `builtin/eliza`, read once. */
export function elizaScript(): Script {
  script ??= parseScript(PARTS.join('\n'));
  return script;
}
