// starchess.test.ts - unit tests of Star Chess on the page: positions, reach, threats, income, commands and history.
// SPDX-License-Identifier: MIT

import { test } from "node:test";
import assert from "node:assert/strict";
import { legalOrders, outcomeText, fightText, orderText, readCommand, writeCommand, type Command } from "../src/starchess/commands";
import { kept, positionAt, sinceMine, turnStart } from "../src/starchess/course";
import { budgetOf, combat, incomeOf, isBlockaded, reachNow, reachOf, readGalaxy, sectorName, sectorOf, threatCount, threatsTo, writeGalaxy, type Galaxy } from "../src/starchess/galaxy";
import { warningsOf } from "../src/starchess/OrdersPanel";
import { newsOf, partsOf } from "../src/starchess/News";
import { calmed, scorePoints } from "../src/starchess/ScorePanel";
import { tidy, withDefeats } from "../src/starchess/StarEditor";
import { bestMasks, turnText } from "../src/starchess/ThinkingPanel";
import { buildOrder, guideText, orderOptions, moveOrder, strandedAt, supportRoom } from "../src/starchess/orders";
import { sectorsOf } from "../src/starchess/StarPicture";

const NAMES = Array.from({ length: 16 }, (_, i) => sectorName(i));

/** A position in which all sectors that are not named are barren and empty. */
function text(sectors: Record<string, string>, reserves = ["0,0", "0,0", "0,0", "0,0"], head = "turn=1 move=1"): string {
	return `SC1 ${head} ${reserves.map((one, i) => `f${i + 1}=${one}`).join(" ")} ${NAMES.map((name) => `${name}=${sectors[name] ?? "B0"}`).join(" ")}`;
}

function galaxy(...args: Parameters<typeof text>): Galaxy {
	const read = readGalaxy(text(...args));
	assert.ok(read);
	return read;
}

const START = { A1: "T1:1000:0/1:20:20", A4: "T2:1000:0/2:20:20", D4: "T3:1000:0/3:20:20", D1: "T4:1000:0/4:20:20" };
const names = (sectors: number[]) => sectors.map(sectorName).sort().join(" ");

test("sectors have names, and names sectors", () => {
	assert.deepEqual([NAMES[0], NAMES[1], NAMES[4], NAMES[15]], ["A1", "A2", "B1", "D4"]);
	NAMES.forEach((name, i) => assert.equal(sectorOf(name), i));
	for (const wrong of ["", "A", "A0", "A5", "E1", "A11", "1A"])
		assert.equal(sectorOf(wrong), -1);
});

test("a position is read from its text", () => {
	const { turn, mover, reserves, sectors } = galaxy({ ...START, B2: "B1:60:20/2:5:0" }, ["12,345", "0,0", "-", "7,8"], "turn=9 move=4");
	assert.deepEqual([turn, mover], [9, 4]);
	assert.deepEqual(reserves[0], { materials: 12, credits: 345, defeated: false });
	assert.equal(reserves[2]?.defeated, true);
	assert.deepEqual(sectors[sectorOf("B2")], { index: 5, name: "B2", terran: false, owner: 1, people: 60, worked: 20, fleet: 2, ships: 5, ready: 0 });
	assert.equal(readGalaxy("start"), null);
	assert.equal(readGalaxy("SC1 turn=1"), null);
	assert.equal(readGalaxy(text({ A1: "X0" })), null);
});

test("ships reach neighbours that are beside a colony of theirs", () => {
	const one = galaxy({ ...START, B2: "B0/1:4:4" });
	assert.equal(names(reachOf(one, sectorOf("A1"))), "A2 B1 B2");
	assert.equal(names(reachOf(one, sectorOf("B2"))), "A1 A2 B1");
	assert.deepEqual(reachOf(one, sectorOf("C3")), []);
	const idle = galaxy({ ...START, A1: "T1:1000:0/1:20:0", A4: "T2:1000:0/2:20:0" });
	assert.deepEqual(reachNow(idle, sectorOf("A1")), []);
	assert.equal(names(reachNow(idle, sectorOf("A4"))), "A3 B3 B4"); // ready when its turn comes
});

test("a threat is all enemy ships that are there or could come", () => {
	const one = galaxy({ ...START, B3: "B2:50:0/2:7:0", B2: "B0/4:3:3", A2: "B1:30:0" });
	assert.equal(threatCount(one, 1, sectorOf("A2")), 7); // blue's at B2 have no colony near
	assert.deepEqual(threatsTo(one, 1, sectorOf("A2")), [{ from: sectorOf("B3"), faction: 2, ships: 7 }]);
	assert.equal(threatCount(one, 1, sectorOf("B2")), 10);
	assert.equal(threatCount(one, 2, sectorOf("A2")), 20);
	assert.equal(threatCount(one, 1, sectorOf("A1")), 0);
});

test("colonies give and take, unless they are blockaded", () => {
	const one = galaxy({ A1: "T1:1000:0", A2: "B1:150:0", B1: "T1:90:0", B2: "B1:200:0/2:1:1" });
	const of = (name: string) => incomeOf(one.sectors[sectorOf(name)]!);
	assert.deepEqual(of("A1"), { materials: 200, credits: 1000, consumed: 0 });
	assert.deepEqual(of("A2"), { materials: 750, credits: 0, consumed: 150 });
	assert.deepEqual(of("B1"), { materials: 90, credits: 90, consumed: 0 });
	assert.deepEqual(of("B2"), { materials: 0, credits: 0, consumed: 0 });
	assert.deepEqual(of("C3"), { materials: 0, credits: 0, consumed: 0 });
	assert.ok(isBlockaded(one.sectors[sectorOf("B2")]!));
	assert.deepEqual(budgetOf(one, 1), { materials: 1040, credits: 1090, consumed: 150, ships: 0, colonies: 4, capacity: 47, excess: 0 });
});

test("warnings name the ships that cannot be supported", () => {
	const one = galaxy({ A1: "T1:1000:0/1:25:25", D4: "T3:1000:0", C4: "B0/1:3:3" });
	assert.equal(budgetOf(one, 1).excess, 5); // those at C4 are lost before
	assert.deepEqual(strandedAt(one, 1), [sectorOf("C4")]);
	assert.equal(warningsOf(one, 1).length, 2);
	assert.deepEqual(warningsOf(galaxy(START), 1), []);
	assert.equal(supportRoom(one, 1), -5);
	assert.equal(supportRoom(galaxy(START, ["90,600", "0,0", "0,0", "0,0"]), 1), 3);
});

test("combat: each row of the table", () => {
	assert.deepEqual(combat(10, 10), { coming: 0, there: 0 });
	assert.deepEqual(combat(19, 10), { coming: 9, there: 0 });
	assert.deepEqual(combat(20, 11), { coming: 9, there: 0 });
	assert.deepEqual(combat(22, 11), { coming: 17, there: 0 });
	assert.deepEqual(combat(30, 10), { coming: 30, there: 0 });
	assert.deepEqual(combat(10, 25), { coming: 0, there: 20 });
});

test("commands are read and written", () => {
	for (const command of ["move A1 B2 12", "build A1 5", "scrap D4 1", "colonize B2", "terraform C3", "end"])
		assert.equal(writeCommand(readCommand(command)!), command);
	for (const wrong of ["", "pass", "move A1", "move A1 E9 4", "build 5"])
		assert.equal(readCommand(wrong), null);
	assert.equal(orderText(readCommand("move A1 B2 1")!), "Move 1 ship from A1 to B2");
});

test("what the server lists becomes what can be ordered", () => {
	const moves = ["move A1 B2 20", "move A1 A2 20", "build A1 7", "colonize B2", "terraform B1", "scrap A1 20", "end"].map((move) => ({ move, clicks: [] }));
	const legal = legalOrders(moves);
	assert.deepEqual(legal.moves.map(({ to, most }) => [sectorName(to), most]), [["B2", 20], ["A2", 20]]);
	assert.deepEqual([legal.builds.get(0), legal.scraps.get(0), legal.colonizes.has(5), legal.terraforms.has(4), legal.end], [7, 20, true, true, true]);
	const can = orderOptions(galaxy(START), legalOrders([{ move: "end", clicks: [] }]), 1, 0);
	assert.equal(can.build.can, false);
	assert.equal(can.build.why, "you have 0 materials and 0 credits; a ship costs 20 and 40");
	assert.match(orderOptions(galaxy({ ...START, A1: "T1:1000:1000/1:9:0" }, ["999,999", "0,0", "0,0", "0,0"]), legalOrders([]), 1, 0).build.why, /worked/);
});

test("an order describes the consequences of its number", () => {
	const one = galaxy({ ...START, A2: "B0/2:8:8" }, ["1000,1000", "0,0", "0,0", "0,0"]);
	assert.equal(fightText(one, 1, 1, 20), "They will fight Yellow's 8 ships and win: 16 of 20 survive.");
	assert.match(fightText(one, 1, 1, 8), /on both sides are destroyed/);
	assert.match(fightText(one, 1, 1, 3), /lose: all 3 are destroyed, 7 enemy ships survive/);
	assert.equal(fightText(one, 1, 4, 8), "");
	assert.equal(moveOrder(one, 1, 0, 1, 20).command(12), "move A1 A2 12");
	const build = buildOrder(one, 1, 0, 40);
	assert.equal(build.initial, 26); // 1600 credits left over support that many
	assert.match(build.describe(30).join(" "), /only 26 more: at the end of the turn 4 ships would be scrapped/);
});

test("the outcome of a command follows from the positions before and after", () => {
	const before = galaxy({ ...START, A2: "B0/2:8:8" }), after = galaxy({ ...START, A1: "T1:1000:0", A2: "B0/1:16:0" });
	assert.equal(outcomeText(before, after, 1, readCommand("move A1 A2 20") as Command), "Move 20 ships from A1 to A2: beat Yellow's 8, 16 left");
	const end = readCommand("end") as Command;
	assert.equal(outcomeText(before, before, 1, end), "End of turn");
	const bombed = galaxy({ ...START, B4: "B2:40:0/1:30:30" }), gone = galaxy({ ...START, B4: "B2:28:0/1:25:25" });
	assert.equal(outcomeText(bombed, gone, 1, end), "End of turn: bombs B4, 12 people die; scraps 5 ships that it can't support");
	const beaten = galaxy({ A1: "T1:1000:0" }, ["0,0", "-", "0,0", "0,0"]);
	assert.match(outcomeText(galaxy(START), beaten, 1, end), /^End of turn: Yellow is defeated/);
});

test("the course of a game: whose turn, what others did, what is kept after a change", () => {
	const line = [["move A1 A2 5", 1], ["end", 1], ["end", 2], ["move D4 D3 2", 3], ["end", 3], ["end", 4], ["build A1 3", 1], ["scrap A1 1", 1]]
		.map(([move, seat]) => ({ move: String(move), seat: Number(seat) }));
	assert.deepEqual([turnStart(line, 8), turnStart(line, 6), turnStart(line, 4), turnStart(line, 0)], [6, 6, 3, 0]);
	assert.deepEqual(sinceMine(line, [1]), { from: 2, to: 6 });
	assert.deepEqual(sinceMine(line.slice(0, 1), [1]), { from: 0, to: 0 });
	assert.deepEqual(sinceMine(line.slice(0, 4), [1]), { from: 2, to: 4 });
	assert.deepEqual(partsOf(line, 2, 6).map(({ seat, from, moves }) => [seat, from, moves.length]), [[2, 2, 1], [3, 3, 2], [4, 5, 1]]);
	const steps = line.map(({ move, seat }, i) => ({ move, seat, scores: [i, 0, 0, 0], position: text(START, undefined, `turn=${i < 5 ? 1 : 2} move=${[1, 2, 3, 3, 4, 1, 1, 1][i]}`) }));
	assert.equal(kept(steps, line).length, 8);
	assert.equal(kept(steps, line.slice(0, 3)).length, 3);
	assert.equal(kept(steps, [...line.slice(0, 6), { move: "end" }]).length, 6);
	const course = { start: text(START), steps };
	assert.equal(positionAt(course, 0), course.start);
	assert.equal(positionAt(course, 8), steps[7]?.position);
	assert.equal(positionAt(course, 9), null);
	const read = (me: number, moves: { move: string; seat: number }[]) => newsOf(moves, { start: null, steps: [] }, me).map(({ seat, text: told }) => `${seat}: ${told}`);
	const build = (seat: number, n: number) => Array.from({ length: n }, () => ({ move: "build A4 1", seat })), end = (seat: number) => ({ move: "end", seat });
	assert.deepEqual(read(1, [end(1), ...build(2, 1), end(2), end(3), ...build(4, 6), end(4), ...build(1, 1)]),
		["2: Build 1 ship at A4", "3: no orders", `4: ${"Build 1 ship at A4. ".repeat(3)}3 more orders`], "all factions since your turn, not the last order");
	assert.deepEqual(read(1, build(1, 1)), []);
	const many = Array.from({ length: 50 }, (_, i) => ({ ply: i, turn: 1 + Math.floor(i / 4), seat: 1 + i % 4, scores: [] }));
	assert.equal(calmed(many.slice(0, 40)).length, 40);
	assert.deepEqual(calmed(many).map(({ ply }) => ply), [3, 7, 11, 15, 19, 23, 27, 31, 35, 39, 43, 47, 49]);
	assert.deepEqual(scorePoints(course).map(({ ply, turn, seat }) => [ply, turn, seat]), [[2, 1, 1], [3, 1, 2], [5, 1, 3], [6, 1, 4]]);
});

test("the chosen mask comes first, then the best; turns as text", () => {
	const mask = (without: string[], score: number | null) => ({ without, scores: score === null ? null : [0, score, 0, 0] });
	const explanation = { seat: 2, turns: 1, levels: 5, generated: 9, evaluated: 3, all: 7, requests: [], line: [], chosen: 1,
		masks: [mask([], 5), mask(["A2"], 7), mask(["B1"], null), mask(["A2", "B1"], 6)] };
	assert.deepEqual(bestMasks(explanation, 3).map(({ without, score }) => [without.join(), score]), [["A2", 7], ["A2,B1", 6], ["", 5]]);
	assert.equal(bestMasks(explanation, 9)[3]?.score, null);
	const turn = (commands: string[]) => turnText({ seat: 1, without: [], scores: [], commands });
	assert.equal(turn(["move A1 A2 20", "build A1 3", "end"]), "Move 20 ships from A1 to A2; Build 3 ships at A1");
	assert.equal(turn(["end"]), "ends the turn without orders");
});

test("a position is written as it was read; the editor keeps its numbers fitting", () => {
	const written = text({ ...START, B2: "B1:60:20/2:5:0", C3: "T0/4:999:1" }, ["12,345", "0,0", "9,9", "7,8"], "turn=9 move=4");
	assert.equal(writeGalaxy(readGalaxy(written)!), written);
	const sector = { ...galaxy(START).sectors[0]! };
	assert.deepEqual(tidy({ ...sector, owner: 0 }), { ...sector, owner: 0, people: 0 });
	assert.deepEqual(tidy({ ...sector, ships: 5 }), { ...sector, ships: 5, ready: 5 });
	assert.deepEqual(tidy({ ...sector, ships: 0 }), { ...sector, fleet: 0, ships: 0, ready: 0 });
	const one = galaxy({ ...START, A4: "T1:100:0", B4: "B2:50:0/2:9:9" }, ["5,5", "6,6", "7,7", "8,8"]);
	assert.equal(writeGalaxy(withDefeats(one)), text({ ...START, A4: "T1:100:0" }, ["5,5", "-", "7,7", "8,8"]));
});

test("the first turns say what to do: send ships, wait, found a colony, build", () => {
	const galaxy = (turn: number, ...sectors: string[]) => readGalaxy(`SC1 turn=${turn} move=1 f1=0,0 f2=- f3=- f4=- ${Array.from({ length: 16 }, (_, i) =>
		sectors.find((one) => one.startsWith(`${sectorName(i)}=`)) ?? `${sectorName(i)}=B0`).join(" ")}`)!;
	const orders = (...moves: string[]) => legalOrders(moves.map((move) => ({ move, clicks: [] })));
	assert.match(guideText(galaxy(1, "A1=T1:1000:0/1:20:20"), 1, orders("move A1 B1 20", "end")) ?? "", /^Start with your home world A1: /);
	assert.match(guideText(galaxy(1, "A1=T1:1000:0", "B1=B0/1:20:0"), 1, orders("end")) ?? "", /^Your ships are on their way\. /);
	assert.match(guideText(galaxy(2, "A1=T1:1000:0", "B1=B0/1:20:20"), 1, orders("colonize B1", "end")) ?? "", /arrived in B1\. /);
	assert.match(guideText(galaxy(3, "A1=T1:1000:0", "B1=B1:20:0"), 1, orders("build A1 10", "end")) ?? "", /^Your colonies pay for ships\. /);
	assert.match(guideText(galaxy(3, "A1=T1:1000:0", "B1=B1:20:0"), 1, orders("end")) ?? "", /^Ships cost 20 materials and 40 credits each\. /);
	assert.equal(guideText(galaxy(6, "A1=T1:1000:0/1:20:20"), 1, orders("end")), null);
});

test("the picture of the map shows planets, colonies and fleets", () => {
	const sectors = sectorsOf([[0, 1, 1000], [1, 10, 12], [2, 10, 8], [3, 5, 1], [45, 8, 30], [47, 12, 5]]);
	assert.deepEqual(sectors[0], { index: 0, name: "A1", terran: true, owner: 1, people: 1000, worked: 0, fleet: 1, ships: 20, ready: 12 });
	assert.deepEqual([sectors[1]?.terran, sectors[1]?.owner], [false, 0]);
	assert.deepEqual([sectors[15]?.owner, sectors[15]?.fleet, sectors[15]?.ships, sectors[15]?.ready], [3, 3, 5, 0]);
});
